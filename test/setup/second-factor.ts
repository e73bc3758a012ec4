import { Secret, TOTP } from 'otpauth'
import type { TestMarketplace } from './app.ts'
import { type Answer, accountToken, call } from './client.ts'
import { hiddenFields, type WebClient, webClient } from './web-client.ts'

export type Person = { email: string; password: string }
type Market = Pick<TestMarketplace, 'url' | 'deps' | 'advance'>

/** The code that an authenticator app shows, so many steps of 30 seconds from now. */
export function codeOf({ deps }: Pick<TestMarketplace, 'deps'>, secret: string, steps = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return totp.generate({ timestamp: deps.now().getTime() + steps * 30_000 })
}

/** Moves the clock to the beginning of a step whose code was never used. */
export function nextCode(market: Market, secret: string): string {
  const intoStepMs = market.deps.now().getTime() % 30_000
  market.advance(90 - intoStepMs / 1000)
  return codeOf(market, secret)
}

/** Turns on the second factor of somebody who has none, by API. All tokens of the person end. */
export async function enrol(market: Market, person: Person) {
  market.advance(30 - (market.deps.now().getTime() % 30_000) / 1000)
  const token = await accountToken(market, person)
  const factor = (path: string, body: object) =>
    call(market, 'POST', `/v1/Account/SecondFactor${path}`, { token, body })
  const begun = await factor('', { password: person.password })
  const secret: string = begun.body.secret
  const { body } = await factor('/Confirm', { otp: codeOf(market, secret) })
  return { ended: token, secret, recoveryCodes: body.recoveryCodes as string[] }
}

/** A token for which a code was given, now. */
export async function tokenByCode(market: Market, person: Person, secret: string): Promise<string> {
  return (await signIn(market, person, nextCode(market, secret))).body.token
}

/** A browser in which somebody has signed in with a code, now. */
export async function signedInByCode(
  market: Market,
  person: Person,
  secret: string,
): Promise<WebClient> {
  const client = webClient(market)
  await client.login(person)
  const fields = hiddenFields((await client.get('/login/code')).text)
  const answer = await client.post('/login/code', { ...fields, code: nextCode(market, secret) })
  if (answer.status !== 303) throw new Error(`the sign-in was refused: ${answer.status}`)
  return client
}

/** A token of somebody whose code is older than ten minutes. */
export async function enrolledBefore(market: Market, person: Person) {
  const { secret } = await enrol(market, person)
  const token = await tokenByCode(market, person, secret)
  market.advance(601)
  return { token, secret }
}

/** Signs in by API with a code. */
export function signIn(market: Market, person: Person, otp?: string): Promise<Answer> {
  const body = { email: person.email, password: person.password, ...(otp !== undefined && { otp }) }
  return call(market, 'POST', '/v1/Account/Auth', { body })
}
