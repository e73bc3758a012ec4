import { z } from 'zod'
import { integerText, positiveInteger, trueOrFalse, UuidText } from './shapes.ts'

/** @param parameter its name in the OpenAPI document; needed where several operations have it */
const uuid = (description: string, parameter?: string) =>
  UuidText.describe(description).meta({
    example: '0f8fad5b-d9cb-469f-a165-70867728950e',
    parameter,
  })

export const DeveloperPath = z.object({ id: uuid('Id of the developer.', 'IdOfDeveloper') })
export const UserPath = z.object({ id: uuid('Id of the user.', 'IdOfUser') })
export const AnyInstallationPath = z.object({
  id: uuid('Id of the installation.', 'IdOfInstallation'),
})
export const PartyPath = z.object({
  id: integerText().describe('Id of the party.').meta({ example: 3, parameter: 'IdOfParty' }),
})
export const AppIdPath = z.object({
  id: z
    .string()
    .max(64)
    .toLowerCase()
    .describe('Id of the app.')
    .meta({ example: 'price-sync', parameter: 'IdOfApp' }),
})

export const CredentialPath = DeveloperPath.extend({
  credentialId: uuid('Id of the credential.'),
})
export const MembershipPath = z.object({
  userId: uuid('Id of the user.', 'MembershipUserId'),
  partyId: integerText()
    .describe('Id of the party.')
    .meta({ example: 3, parameter: 'MembershipPartyId' }),
})
export const ConnectionPath = z.object({
  buyerId: integerText().describe('Id of the Buyer.').meta({ example: 4 }),
  sellerId: integerText().describe('Id of the Seller.').meta({ example: 3 }),
})

/** A search by a part of a name, in a query. */
export const searchText = (where: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      `Only those with this text in their ${where}, without regard to case; one or two characters are looked for where words begin.`,
    )
    .meta({ example: 'key' })

/** A search by a part of the name, in a query. */
export const nameSearch = searchText('name').meta({ parameter: 'NameSearch' })

/** The id of a party as a filter, in a query. */
export const partyFilter = (description: string) =>
  positiveInteger().optional().describe(description).meta({ example: 3 })

/** Whether only what is suspended is asked for, in a query. */
export const suspendedFilter = trueOrFalse
  .optional()
  .describe('Only suspended ones, or only others.')
  .meta({ parameter: 'SuspendedFilter' })
