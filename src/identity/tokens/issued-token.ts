import { z } from 'zod'

/** Lifetime of account tokens; those of other tokens are configured. */
export const ACCOUNT_TOKEN_TTL_SECONDS = 3600

export const IssuedToken = z
  .object({
    token: z
      .string()
      .describe('The bearer token. Treat it as opaque; it has at most 2,048 characters.')
      .meta({
        example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJhdWQiOiJkZXZlbG9wZXIifQ.MEUCIQ',
      }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().describe('Seconds until the token runs out.').meta({ example: 3600 }),
    expiresAt: z.iso
      .datetime()
      .describe('When the token runs out.')
      .meta({ example: '2026-11-21T10:30:00.000Z' }),
  })
  .meta({ id: 'IssuedToken', description: 'A bearer token.' })
export type IssuedToken = z.infer<typeof IssuedToken>

export const IssuedInstallationToken = IssuedToken.extend({
  installationId: z
    .string()
    .describe('The installation that the token acts for.')
    .meta({ format: 'uuid', example: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
  permissions: z
    .array(z.string())
    .describe('What the token may do.')
    .meta({ example: ['products:read'] }),
}).meta({ id: 'IssuedInstallationToken', description: 'A token that acts for one installation.' })
export type IssuedInstallationToken = z.infer<typeof IssuedInstallationToken>
