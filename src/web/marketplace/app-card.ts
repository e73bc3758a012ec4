import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'

/** An app in the directory. */
export type AppCard = {
  id: string
  name: string
  developerName: string
  description: string
  partyTypes: string[]
  purchaseOptions: PurchaseOption[]
}
