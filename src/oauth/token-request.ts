import { z } from 'zod'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const GRANT_TYPES = ['authorization_code', 'client_credentials', TOKEN_EXCHANGE] as const
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

/** A parameter of a form: once, and without a value as good as left out (RFC 6749, 3.2). */
const parameter = (description: string, maxLength = 2048) =>
  z.string('occurs more than once').max(maxLength, 'is too long').optional().describe(description)

/** Of a form: other parameters are ignored, but none may occur twice. */
const others = z.string('occurs more than once')

const client = {
  client_id: parameter('Client id of a credential, unless the header `Authorization` has it.'),
  client_secret: parameter('Password of the credential, unless the header has it.'),
}

export const TokenRequest = z
  .object({
    grant_type: parameter('What is exchanged for a token.').meta({ examples: [...GRANT_TYPES] }),
    ...client,
    code: parameter('Of `authorization_code`: the code of the redirect.'),
    code_verifier: parameter('Of `authorization_code`: what the code challenge was made of.'),
    redirect_uri: parameter('Of `authorization_code`: the return address of the app, if given.'),
    subject_token: parameter('Of the token exchange: a developer token.'),
    subject_token_type: parameter(`Of the token exchange: \`${ACCESS_TOKEN_TYPE}\`.`),
    requested_token_type: parameter(`Of the token exchange, if given: \`${ACCESS_TOKEN_TYPE}\`.`),
    actor_token: parameter('Not supported.'),
    audience: parameter('Of the token exchange: the id of an installation.'),
    scope: parameter(
      'Of the token exchange: permissions that narrow the token. A code has its scope already.',
    ),
    resource: parameter('If given, the base address of this server (RFC 8707).'),
  })
  .catchall(others)
  .meta({
    id: 'TokenRequest',
    required: ['grant_type'],
    example: {
      grant_type: 'authorization_code',
      client_id: 'acme-tools',
      code: 'amc_...',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
  })
export type TokenRequest = z.infer<typeof TokenRequest>

/** The body of revocation (RFC 7009) and introspection (RFC 7662). */
export const TokenInQuestion = z
  .object({
    token: parameter('The token.', 16_384),
    token_type_hint: parameter('Ignored: the server sees what kind of token it is.'),
    ...client,
  })
  .catchall(others)
  .meta({
    id: 'TokenInQuestion',
    required: ['token'],
    example: { client_id: 'acme-tools', client_secret: '...', token: 'eyJhbGciOiJFUzI1NiIs...' },
  })
export type TokenInQuestion = z.infer<typeof TokenInQuestion>

/** A form without the parameters that have no value. */
export function filledIn<Form extends object>(form: Form): { [Name in keyof Form]: string } {
  const entries = Object.entries(form).filter(([, value]) => value !== '' && value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Form]: string }
}

export const TokenAnswer = z
  .object({
    access_token: z
      .string()
      .describe('The bearer token. Treat it as opaque; it has at most 2,048 characters.')
      .meta({
        example: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJhdWQiOiJkZXZlbG9wZXIifQ.MEUC',
      }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds until the token runs out.').meta({ example: 900 }),
    scope: z
      .string()
      .optional()
      .describe('Of an installation token: its permissions, separated by spaces.')
      .meta({ example: 'products:read profile:read' }),
    installation_id: z
      .string()
      .optional()
      .describe('Of an installation token: the installation that it acts for.')
      .meta({ format: 'uuid', example: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
    issued_token_type: z
      .literal(ACCESS_TOKEN_TYPE)
      .optional()
      .describe('Of the token exchange (RFC 8693).'),
  })
  .meta({ id: 'TokenAnswer' })
export type TokenAnswer = z.infer<typeof TokenAnswer>
