import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { requireRecentFactor } from '../../identity/auth/second-factor/factor-policy-service.ts'
import { askToConfirm } from './form-for-later.ts'
import { visitorOf } from './visitor.ts'

/** Where a visitor gives another code. */
export const CONFIRM_PATH = '/Account/Confirm'

/**
 * Asks visitors who have a second factor for another code before a form with `recentFactor` is
 * acted upon. What was typed waits meanwhile. Registered after the guards of the scope: nobody else
 * learns that there is a form.
 */
export function askForRecentFactor(app: App): void {
  app.addHook('preHandler', async function askForCode(request, reply) {
    const { recentFactor = false } = request.routeOptions.config
    if (!recentFactor) return
    const { id: userId, factorAt } = visitorOf(request)
    try {
      await requireRecentFactor(app.deps, { userId, factorAt: factorAt ?? undefined }, recentFactor)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'second_factor_required')) throw error
      // There is no code to ask for.
      if (error.options.members?.maxAgeSeconds === undefined) throw error
      return askToConfirm(request, reply, CONFIRM_PATH)
    }
  })
}
