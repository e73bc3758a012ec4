import type { PartyType } from '../../base/values/party-type.ts'
/** The party whose view of the products this is. */
export type Viewer = { partyId: number; partyType: PartyType }

/**
 * The parties whose products a party sees: a Buyer sees the Sellers it is connected with, every
 * other party itself.
 *
 * @param partyId SQL: a parameter, or a column of the statement around it
 * @param partyType likewise
 */
export const visiblePartiesOf = (partyId: string, partyType: string) => `
  SELECT c.seller_id FROM connections c WHERE ${partyType} = 'Buyer' AND c.buyer_id = ${partyId}
  UNION ALL
  SELECT ${partyId}::int WHERE ${partyType} <> 'Buyer'`

/** The visible parties of one party. SQL parameters: $1 party id, $2 party type. */
export const VISIBLE_PARTIES = visiblePartiesOf('$1', '$2')
