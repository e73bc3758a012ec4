import { z } from 'zod'

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const GRANT_TYPES = ['authorization_code', 'client_credentials', TOKEN_EXCHANGE] as const
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token'

/** A parameter of a form: once, and without a value as good as left out (RFC 6749, 3.2). */
const parameter = (maxLength = 2048) =>
  z.string('occurs more than once').max(maxLength, 'is too long').optional()

/** Other parameters of the form are ignored, but none may occur twice. */
const others = z.string('occurs more than once')

const client = {
  client_id: parameter().describe('Of a credential, unless `Authorization` has it.'),
  client_secret: parameter().describe('Its password, unless the header has it.'),
}
const required = (description: string) => z.string().max(2048).describe(description)
const resource = parameter().describe('If given, the base address of this server (RFC 8707).')

const AuthorizationCodeGrant = z
  .object({
    grant_type: z.literal('authorization_code'),
    ...client,
    code: required('The code of the redirect.'),
    code_verifier: required('What the code challenge was made of (PKCE).'),
    redirect_uri: parameter().describe('The return address of the app, if given.'),
    resource,
  })
  .meta({
    id: 'AuthorizationCodeGrant',
    description: 'The code of the redirect for an installation token, whose scope it has already.',
  })

const ClientCredentialsGrant = z
  .object({ grant_type: z.literal('client_credentials'), ...client, resource })
  .meta({
    id: 'ClientCredentialsGrant',
    description: 'The password of a credential for a developer token.',
  })

const TokenExchangeGrant = z
  .object({
    grant_type: z.literal(TOKEN_EXCHANGE),
    ...client,
    subject_token: required('A developer token.'),
    subject_token_type: z.literal(ACCESS_TOKEN_TYPE),
    requested_token_type: z.literal(ACCESS_TOKEN_TYPE).optional(),
    audience: required('The id of an installation.'),
    scope: parameter().describe('Permissions that narrow the token, separated by spaces.'),
    resource,
  })
  .meta({
    id: 'TokenExchangeGrant',
    description: 'A developer token for an installation token (RFC 8693).',
  })

/** What each grant takes, for readers of the OpenAPI document. */
const GrantRequest = z
  .discriminatedUnion('grant_type', [
    AuthorizationCodeGrant,
    ClientCredentialsGrant,
    TokenExchangeGrant,
  ])
  .meta({
    id: 'TokenRequest',
    discriminator: {
      propertyName: 'grant_type',
      mapping: {
        authorization_code: '#/components/schemas/AuthorizationCodeGrant',
        client_credentials: '#/components/schemas/ClientCredentialsGrant',
        [TOKEN_EXCHANGE]: '#/components/schemas/TokenExchangeGrant',
      },
    },
    example: {
      grant_type: 'authorization_code',
      client_id: 'acme-tools',
      code: 'amc_...',
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    },
  })

/** The body of any grant: what is wrong with it is said in the words of OAuth (RFC 6749, 5.2). */
export const TokenRequest = z
  .object({
    grant_type: parameter(),
    ...client,
    code: parameter(),
    code_verifier: parameter(),
    redirect_uri: parameter(),
    subject_token: parameter(),
    subject_token_type: parameter(),
    requested_token_type: parameter(),
    /** Not supported. */
    actor_token: parameter(),
    audience: parameter(),
    scope: parameter(),
    resource,
  })
  .catchall(others)
  .meta({ documentedAs: GrantRequest })
export type TokenRequest = z.infer<typeof TokenRequest>

/** What revocation and introspection take, for readers of the OpenAPI document. */
const TokenToAskFor = z
  .object({
    token: parameter(16_384).describe('The token.'),
    token_type_hint: parameter().describe('Ignored: the server sees what kind of token it is.'),
    ...client,
  })
  .meta({
    id: 'TokenInQuestion',
    required: ['token'],
    example: { client_id: 'acme-tools', client_secret: '...', token: 'eyJhbGciOiJFUzI1NiIs...' },
  })

/** The body of revocation (RFC 7009) and introspection (RFC 7662). */
export const TokenInQuestion = TokenToAskFor.catchall(others).meta({ documentedAs: TokenToAskFor })
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
