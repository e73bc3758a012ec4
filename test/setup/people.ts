import type { SharedMarketplace } from './app.ts'
import { type Answer, accountToken, call } from './client.ts'
import type { OperatorCalls } from './operator.ts'

/** The token of a link. */
export function tokenOf(link: string | undefined): string {
  return new URL(link ?? 'http://no.link').searchParams.get('token') ?? ''
}

/** Accepts an invitation, as whoever has its link; with an account token as its user. */
export function accept(
  market: Pick<SharedMarketplace, 'url'>,
  link: string | undefined,
  password?: string,
  token?: string,
): Promise<Answer> {
  const body = { token: tokenOf(link), ...(password === undefined ? {} : { password }) }
  const signedIn = token === undefined ? {} : { token }
  return call(market, 'POST', '/v1/Account/Invitations/Accept', { body, ...signedIn })
}

/** Sets a new password, as whoever has the link for it. */
export function complete(
  market: Pick<SharedMarketplace, 'url'>,
  link: string | undefined,
  password: string,
): Promise<Answer> {
  const body = { token: tokenOf(link), password }
  return call(market, 'POST', '/v1/Account/PasswordReset/Complete', { body })
}

let made = 0

/** An address that no user has. */
export function newAddress(): string {
  made += 1
  return `person${made}@people.example`
}

/** The password of the users that `newUserWithToken` makes. */
export const USER_PASSWORD = 'a password of eight words'

/** A user with a password and an account token, as an operator makes one. */
export async function newUserWithToken(
  market: SharedMarketplace,
  operator: OperatorCalls,
  input: { partyIds?: number[]; operator?: boolean } = {},
) {
  const user = { email: newAddress(), password: USER_PASSWORD }
  const wanted = { ...user, name: 'Lee Leaving', partyIds: [], ...input }
  const { body } = await operator('POST', 'Users', wanted)
  return { ...user, id: body.id as string, token: await accountToken(market, user) }
}
