import type { PartyType } from '../../../base/values/party-type.ts'
/** An account (party) that a signed-in user may act for. */
export type PageParty = {
  partyId: number
  partyName: string
  partyType: PartyType
}
