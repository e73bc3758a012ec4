import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { integerText } from '../../values/shapes.ts'

/** Longer ones would not fit into the address of the login page, which carries them along. */
const STATE_MAX_BYTES = 1024

/** What the address of the redirect says. */
export type RedirectRequest = {
  appId: string
  clientId: string | undefined
  state: string | undefined
  partyId: number | undefined
}

const once = (schema: z.ZodString) => z.string('occurs more than once').pipe(schema).optional()

/** `state` travels through forms and headers, so it holds no control characters. */
const RedirectQuery = z.object({
  clientId: once(z.string().max(200, 'is too long')),
  client_id: once(z.string().max(200, 'is too long')),
  state: once(
    z
      .string()
      .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'contains control characters')
      .refine((text) => Buffer.byteLength(text) <= STATE_MAX_BYTES, 'is longer than 1,024 bytes'),
  ),
  partyId: z.string('occurs more than once').pipe(integerText()).optional(),
})

/**
 * Reads the query of the redirect, or the form of the party chooser.
 *
 * @throws AppError invalid_request, in words for the person who followed the link
 */
export function parseRedirectRequest(appId: string, query: unknown): RedirectRequest {
  const result = RedirectQuery.safeParse(query)
  if (!result.success) {
    const [issue] = result.error.issues
    throw wrongLink(`its ${issue?.path.join('.')} ${issue?.message}`)
  }
  const { clientId, client_id: alias, state, partyId } = result.data
  if (clientId !== undefined && alias !== undefined && clientId !== alias) {
    throw wrongLink('its clientId and client_id differ')
  }
  return {
    appId,
    clientId: clientId ?? alias,
    state,
    partyId: partyId === undefined ? undefined : Number(partyId),
  }
}

function wrongLink(why: string): AppError {
  return new AppError('invalid_request', {
    detail: `The link to the app is wrong: ${why}. Open the app from the start page, or ask its developer for a correct link.`,
    page: { title: 'This link does not work' },
  })
}

/** The address of the redirect with nothing but what it understands. */
export function redirectPath({ appId, clientId, state, partyId }: RedirectRequest): string {
  const query = Object.entries({ clientId, state, partyId })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    .join('&')
  return `/Apps/Authenticate/${encodeURIComponent(appId)}${query === '' ? '' : `?${query}`}`
}
