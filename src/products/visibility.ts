import type { PartyType } from '../values/party-type.ts'
/** The party whose view of the products this is. */
export type Viewer = { partyId: number; partyType: PartyType }

/**
 * The parties whose products a party sees: a Buyer sees the Sellers it is connected with, every
 * other party itself. SQL parameters: $1 party id, $2 party type.
 */
export const VISIBLE_PARTIES = `
  SELECT c.seller_id FROM connections c WHERE $2 = 'Buyer' AND c.buyer_id = $1
  UNION ALL
  SELECT $1::int WHERE $2 <> 'Buyer'`
