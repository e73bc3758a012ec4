import { z } from 'zod'

export const PARTY_TYPES = ['Buyer', 'Seller', 'None'] as const

export const PartyType = z
  .enum(PARTY_TYPES)
  .describe("Type of an account; `None` is a developer's sandbox.")
  .meta({ id: 'PartyType', examples: ['Seller'] })
export type PartyType = z.infer<typeof PartyType>

export const OfferedPartyType = z
  .enum(['Buyer', 'Seller'])
  .describe('A type of account that apps can be offered to.')
  .meta({ id: 'OfferedPartyType', examples: ['Seller'] })
export type OfferedPartyType = z.infer<typeof OfferedPartyType>

/** To whom an app is offered: the types of accounts, and its developer's sandbox. */
type Offer = { partyTypes: readonly string[]; developer: { sandboxPartyId: number } }

/**
 * Whether an app is offered to an account. A sandbox has its own developer's apps only, whoever
 * else they are offered to.
 */
export function isOffered(
  { partyTypes, developer }: Offer,
  { id, type }: { id: number; type: PartyType },
): boolean {
  return type === 'None' ? developer.sandboxPartyId === id : partyTypes.includes(type)
}
