import { z } from 'zod'
import { integerText } from '../../base/values/shapes.ts'
import { AppError } from '../../errors.ts'

const STATE_MAX_BYTES = 4096
/** A longer state does not fit into the address of the login page, which carries it along. */
const STATE_IN_ADDRESS_MAX_BYTES = 1024

/** The parameters of a redirect. */
export type RedirectRequest = {
  appId: string
  clientId: string | undefined
  state: string | undefined
  /** Instead of the state the name under which the browser keeps it. */
  stateName: string | undefined
  partyId: number | undefined
  /** The request for a code; undefined when the app wants the token in the address. */
  code: CodeRequest | undefined
  /** Whether the user cancelled. */
  cancelled: boolean
}

/** A request for a code (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export type CodeRequest = {
  /** `code`, or one that the server does not support. */
  responseType: string
  redirectUri: string | undefined
  challenge: string | undefined
  method: string | undefined
  /** Permissions that narrow the token (RFC 6749, 3.3). */
  scope: string | undefined
  /** The server that the token is for (RFC 8707). */
  resource: string | undefined
}

const once = (schema: z.ZodString) => z.string('occurs more than once').pipe(schema).optional()

/** A longer path is refused by `safeNextPath`. */
const CODE_PATH_MAX_LENGTH = 4096

/** `state` travels through forms and headers, so it holds no control characters. */
const RedirectQuery = z.object({
  clientId: once(z.string().max(200, 'is too long')),
  client_id: once(z.string().max(200, 'is too long')),
  state: once(
    z
      .string()
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'contains control characters')
      .refine((text) => Buffer.byteLength(text) <= STATE_MAX_BYTES, 'is longer than 4,096 bytes'),
  ),
  state_name: once(z.string().regex(/^[0-9a-f]{64}$/, 'is not one of this server')),
  partyId: z.string('occurs more than once').pipe(integerText()).optional(),
  response_type: once(z.string().regex(/^[A-Za-z0-9_ ]{0,64}$/, 'is not "code"')),
  cancel: once(z.string()),
})

const CodeQuery = z.object({
  redirect_uri: once(z.string().max(2048, 'is too long')),
  code_challenge: once(z.string().max(128, 'is too long')),
  code_challenge_method: once(z.string().max(16, 'is too long')),
  scope: once(z.string().max(1024, 'is too long')),
  resource: once(z.string().max(2048, 'is too long')),
})

/**
 * Reads the query of the redirect, or the form of the party chooser.
 *
 * @throws AppError invalid_request, in words for the person who followed the link
 */
export function parseRedirectRequest(appId: string, query: unknown): RedirectRequest {
  const { clientId, client_id: alias, state, partyId, ...rest } = read(RedirectQuery, query)
  if (clientId !== undefined && alias !== undefined && clientId !== alias) {
    throw wrongLink('its clientId and client_id differ')
  }
  const request: RedirectRequest = {
    appId,
    clientId: clientId ?? alias,
    state,
    stateName: state === undefined ? rest.state_name : undefined,
    partyId: partyId === undefined ? undefined : Number(partyId),
    code: codeRequest(rest.response_type, query),
    cancelled: rest.cancel !== undefined,
  }
  const carried = hasLongState(request) ? { ...request, state: undefined } : request
  if (request.code !== undefined && redirectPath(carried).length > CODE_PATH_MAX_LENGTH) {
    throw wrongLink('it is too long')
  }
  return request
}

/** Whether the state of a request does not fit into the addresses of our pages. */
export function hasLongState<Request extends Pick<RedirectRequest, 'state'>>(
  request: Request,
): request is Request & { state: string } {
  return Buffer.byteLength(request.state ?? '') > STATE_IN_ADDRESS_MAX_BYTES
}

/** The refusal of a link whose state the browser does not keep any more. */
export function lostState(): AppError {
  return new AppError('invalid_request', {
    detail: 'You took more than ten minutes, or opened another app meanwhile. Open the app again.',
    page: { title: 'This link has expired' },
  })
}

/**
 * @param responseType whatever it is, it is no request for a token in the address: the app is told at
 *   its return address when it is not supported
 */
function codeRequest(responseType: string | undefined, query: unknown): CodeRequest | undefined {
  // A parameter without a value counts as omitted (RFC 6749, 3.1).
  if (!responseType || responseType === 'token') return undefined
  const {
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: method,
    scope,
    resource,
  } = read(CodeQuery, query)
  return {
    responseType,
    redirectUri: redirectUri || undefined,
    challenge,
    method,
    scope: scope || undefined,
    resource: resource || undefined,
  }
}

function read<Schema extends z.ZodType>(schema: Schema, query: unknown): z.output<Schema> {
  const result = schema.safeParse(query)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw wrongLink(`its ${issue?.path.join('.')} ${issue?.message}`)
}

function wrongLink(why: string): AppError {
  return new AppError('invalid_request', {
    detail: `The link to the app is wrong: ${why}. Open the app from the start page, or ask its developer for a correct link.`,
    page: { title: 'This link does not work' },
  })
}

/** The address of a redirect with only the parameters that it understands. */
export function redirectPath(request: RedirectRequest): string {
  const query = Object.entries(redirectFields(request))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return `/Apps/Authenticate/${encodeURIComponent(request.appId)}${query === '' ? '' : `?${query}`}`
}

/** The parameters of a redirect, as its address and the form of the party chooser carry them. */
export function redirectFields(request: RedirectRequest): Record<string, string> {
  const { clientId, state, stateName, partyId, code } = request
  const fields = {
    clientId,
    state,
    state_name: stateName,
    partyId,
    ...(code && {
      response_type: code.responseType,
      redirect_uri: code.redirectUri,
      code_challenge: code.challenge,
      code_challenge_method: code.method,
      scope: code.scope,
      resource: code.resource,
    }),
  }
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
}
