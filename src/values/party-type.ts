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
