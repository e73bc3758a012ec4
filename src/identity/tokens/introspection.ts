import { z } from 'zod'
import { PartyType } from '../../base/values/party-type.ts'

/** The response to the question whether a token would be accepted (RFC 7662, 2.2). */
export const Introspection = z
  .object({
    active: z.boolean().describe('Whether the token would be accepted now.'),
    token_type: z.literal('Bearer').optional(),
    iss: z.string().optional(),
    sub: z.string().optional().describe('The installation.'),
    aud: z.string().optional(),
    client_id: z.string().optional(),
    scope: z.string().optional().describe('Permissions, separated by spaces.'),
    iat: z.int().optional(),
    exp: z.int().optional(),
    jti: z.string().optional(),
    app_id: z.string().optional(),
    party_id: z.int().optional(),
    party_type: PartyType.optional(),
    user_id: z.string().optional().describe('The person, when the token came from the redirect.'),
  })
  .meta({ id: 'Introspection', example: { active: false } })
