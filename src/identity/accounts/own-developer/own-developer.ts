import { z } from 'zod'
import { Timestamp } from '../../../base/values/shapes.ts'

const count = (description: string, example: number) =>
  z.int().describe(description).meta({ example })
const perMinute = (description: string, example: number) =>
  z.int().nullable().describe(`${description} Null: not limited.`).meta({ example })

/** Who a developer token acts for, and what it may do how often. */
export const OwnDeveloper = z
  .object({
    id: z
      .uuid()
      .describe('Id of the developer.')
      .meta({ example: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
    name: z.string().describe('Its name.').meta({ example: 'Northwind Tools' }),
    clientId: z
      .string()
      .describe('The client id that the token was asked for with.')
      .meta({ example: 'northwind' }),
    credentialId: z
      .uuid()
      .describe('Id of that credential.')
      .meta({ example: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }),
    sandbox: z
      .object({
        partyId: count('Id of the sandbox, as in its installations.', 9),
        partyName: z.string().describe('Its name.').meta({ example: 'Northwind Tools (sandbox)' }),
      })
      .describe('The account with sample products in which it tries its apps.'),
    limits: z
      .object({
        requestsPerMinute: z
          .object({
            developer: perMinute('With developer tokens.', 3000),
            installation: perMinute('With the tokens of one installation.', 600),
          })
          .describe('Requests a minute.'),
        installationTokenSeconds: z
          .object({
            usual: count('Unless `expiresIn` names one.', 3600),
            redirect: count('Of tokens from the redirect.', 900),
            max: count('The longest that `expiresIn` may ask for.', 86_400),
          })
          .describe('Lifetimes of installation tokens.'),
        credentials: count('Live credentials at once.', 2),
      })
      .describe('What the operator and the server allow.'),
    createdAt: Timestamp.describe('When the developer was made.'),
  })
  .meta({ id: 'OwnDeveloper' })
export type OwnDeveloper = z.infer<typeof OwnDeveloper>
