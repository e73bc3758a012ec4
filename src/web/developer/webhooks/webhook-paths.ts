import { ownAppPath } from '../console-frame.ts'

/** The address of the page with all webhook endpoints of an app. */
export function webhooksPath(appId: string): string {
  return `${ownAppPath(appId)}/Webhooks`
}

/** The address of the page of a webhook endpoint. */
export function webhookPath({ appId, id }: { appId: string; id: string }): string {
  return `${webhooksPath(appId)}/${id}`
}

/** The address of the page of a delivery. */
export function deliveryPath(endpoint: { appId: string; id: string }, deliveryId: string): string {
  return `${webhookPath(endpoint)}/Deliveries/${deliveryId}`
}
