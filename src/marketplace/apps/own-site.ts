import { webUrlProblem } from '../../base/values/web-url.ts'
import type { AppDefinition } from './definition.ts'
import { receiverStart } from './receiver-address.ts'

/**
 * Where users open an app that takes codes only, which has to begin the sign-in itself: its
 * website, else the site of its return address. The demo receiver begins for an app that it stands
 * for. Null for an app that the marketplace opens.
 */
export function ownSite({
  tokenDelivery,
  authReturnUrl,
  websiteUrl,
}: {
  tokenDelivery: string
  authReturnUrl: string | null
  websiteUrl: string | null
}): string | null {
  if (tokenDelivery !== ('code' satisfies AppDefinition['tokenDelivery'])) return null
  if (authReturnUrl === null) return null
  const isUsable = webUrlProblem(authReturnUrl) === null
  const demo = isUsable ? receiverStart(authReturnUrl) : null
  if (demo !== null) return demo
  if (websiteUrl !== null && webUrlProblem(websiteUrl) === null) return websiteUrl
  return isUsable ? `${new URL(authReturnUrl).origin}/` : null
}
