import type { App } from '../app-type.ts'
import type { RequestEnd } from './request-end.ts'
import { stateOf } from './request-state.ts'

/**
 * Counts each request of an installation when it is over, in memory: how many records it moved, or
 * with which code it was refused. Refusals are what the installation may not do (403), or not so often
 * (429).
 */
export function countUsage(app: App, onEnd: (listener: RequestEnd) => void): void {
  const { usageCounts } = app.deps
  onEnd((request, _reply, status) => {
    const { principal, usedPermission, records, refusal, tokenCheckedAtMs } = stateOf(request)
    if (principal?.kind !== 'installation') return
    const isRefused = status === 403 || status === 429
    usageCounts.add(
      principal.installationId,
      usedPermission,
      request.method === 'HEAD' ? 0 : records,
      isRefused ? (refusal?.code ?? null) : null,
      tokenCheckedAtMs,
    )
  })
}
