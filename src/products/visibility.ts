import type { PartyType } from '../values/party-type.ts'
/** The party whose view of the products it is. */
export type Viewer = { partyId: number; partyType: PartyType }

/**
 * Parties whose products a party sees: a Buyer those of the Sellers it is connected with,
 * everybody else its own. SQL parameters: $1 party id, $2 party type.
 */
export const VISIBLE_PARTIES = `
  SELECT c.seller_id FROM connections c WHERE $2 = 'Buyer' AND c.buyer_id = $1
  UNION ALL
  SELECT $1::int WHERE $2 <> 'Buyer'`
