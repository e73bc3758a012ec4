import { createHash } from 'node:crypto'
import type * as OpenidClient from 'openid-client'
import type { Logger } from 'pino'
import { createBound } from '../../base/fair-share/bound.ts'
import { networkOf } from '../../base/values/client-network.ts'
import { AppError } from '../../errors.ts'
import { UserName } from '../accounts/operator-requests.ts'
import { awayReason, boundedFetch } from './bounded-fetch.ts'
import { providerAway, providerNotSetUp, refusedSignIn, tooManySignIns } from './refusals.ts'
import { isLoopback } from './sign-in-variables.ts'

/** The codes of the library for metadata and for an ID token with a value that was not expected. */
const COMPARISONS = new Set<unknown>([
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
])
const LOGGED_MAX_LENGTH = 300

/** Code that a server without single sign-on does not need. */
const loadClient = () => import('openid-client')

/** How long the provider's metadata count. */
const METADATA_SECONDS = 3600
/** The library's code for an ID token that is signed with a key the provider did not have. */
const UNKNOWN_KEY = 'OAUTH_KEY_SELECTION_FAILED'
/** A provider that was away is not asked again for so long. */
const AWAY_SECONDS = 2
/** How far the clock of the provider may be ahead of ours. */
const CLOCK_SKEW_SECONDS = 60
/** Exchanges of codes under way in one process, and of those the ones of one network. */
const EXCHANGES_MAX = 32
const EXCHANGES_OF_NETWORK = 8

/** What binds an answer of the provider to the browser that asked. */
type AttemptSecrets = { state: string; nonce: string; verifier: string }

/** Who the provider says that somebody is. */
export type Identity = {
  issuer: string
  /** The id of the person at the issuer; never another's. */
  subject: string
  email: string | undefined
  /** What the provider calls the person, if it can stand in the name of a user. */
  name: string | undefined
  /** Whether the provider knows that the address is the person's; undefined when it says nothing. */
  isEmailVerified: boolean | undefined
}

/** An OpenID Connect provider that users sign in through. */
export type IdentityProvider = {
  name: string
  /**
   * Where to send a browser.
   *
   * @throws AppError unavailable when the provider is away
   */
  authorizationUrl(secrets: AttemptSecrets): Promise<string>
  /**
   * Exchanges the code of the provider's answer, and checks everything that came with it.
   *
   * @param query of the address that the provider sent the browser to
   * @param address where the browser is
   * @throws AppError sign_in_refused, unavailable
   */
  identify(query: string, secrets: AttemptSecrets, address: string): Promise<Identity>
}

type Options = {
  config: {
    oidcIssuer: string | undefined
    oidcClientId: string | undefined
    oidcClientSecret: string | undefined
    oidcName: string
    oidcTrustEmail: boolean
    publicUrl: string
  }
  log: Logger
  now: () => Date
}

/** Path of this site that the provider sends browsers back to. */
export const CALLBACK_PATH = '/signin/oidc/callback'

/**
 * The provider that the configuration names; it is asked for nothing before the first sign-in.
 *
 * @returns undefined when it names none
 */
export function createIdentityProvider({
  config,
  log,
  now,
}: Options): IdentityProvider | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: secret } = config
  if (issuer === undefined || clientId === undefined || secret === undefined) return undefined
  const { oidcName: name, oidcTrustEmail, publicUrl } = config
  const unsaidIsVerified = oidcTrustEmail ? true : undefined
  const redirectUri = publicUrl + CALLBACK_PATH
  const exchanges = createBound<string>({ each: EXCHANGES_OF_NETWORK, all: EXCHANGES_MAX })
  /** The refusal of a provider whose issuer is another than OIDC_ISSUER; undefined of other errors. */
  const otherThan = (error: unknown) => {
    const found = otherIssuer(error)
    if (found === undefined || found === issuer) return undefined
    log.warn({ oidcIssuer: issuer, issuerOfProvider: found }, 'the provider has another issuer')
    return providerNotSetUp(name)
  }
  const away = (error: unknown) => {
    const reason = awayReason(error) ?? reasonOf(error)
    log.warn({ reason }, 'the provider of single sign-on is away')
    return providerAway(name)
  }
  const metadata = keptFor(now, async () => {
    try {
      return await discover(issuer, clientId, secret)
    } catch (error) {
      throw otherThan(error) ?? away(error)
    }
  })
  return {
    name,
    async authorizationUrl({ state, nonce, verifier }) {
      const configuration = await metadata.read()
      const oidc = await loadClient()
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    async identify(query, secrets, address) {
      const configuration = await metadata.read()
      const giveBack = exchanges.take(networkOf(address))
      if (giveBack === undefined) throw tooManySignIns(name)
      try {
        const url = new URL(`${redirectUri}?${query}`)
        const identity = await exchange(configuration, url, secrets, oidcTrustEmail)
        if (identity.issuedAt > now().getTime() / 1000 + CLOCK_SKEW_SECONDS) throw new FutureError()
        return { ...identity, isEmailVerified: identity.isEmailVerified ?? unsaidIsVerified }
      } catch (error) {
        if (error instanceof AppError) throw error
        if (awayReason(error) !== undefined) throw away(error)
        const refusal = otherThan(error)
        if (refusal !== undefined) throw refusal
        // With the metadata go the keys: the provider may have changed them just now.
        if ((error as { code?: unknown }).code === UNKNOWN_KEY) metadata.forget()
        log.warn({ reason: reasonOf(error) }, 'single sign-on was refused')
        throw refusedSignIn(`${name} did not confirm who you are. Try again.`)
      } finally {
        giveBack()
      }
    },
  }
}

async function discover(
  issuer: string,
  clientId: string,
  secret: string,
): Promise<OpenidClient.Configuration> {
  const oidc = await loadClient()
  const execute = [oidc.enableNonRepudiationChecks]
  if (isLoopback(issuer)) execute.push(oidc.allowInsecureRequests)
  const options = { execute, [oidc.customFetch]: boundedFetch }
  const found = await oidc.discovery(new URL(issuer), clientId, secret, undefined, options)
  requireEndpoints(found.serverMetadata(), issuer)
  // OpenID Connect Discovery 1.0, 3: a provider that names no method takes the first one.
  const methods = found.serverMetadata().token_endpoint_auth_methods_supported
  if (methods !== undefined && !methods.includes('client_secret_basic')) return found
  const basic = new oidc.Configuration(
    found.serverMetadata(),
    clientId,
    secret,
    oidc.ClientSecretBasic(secret),
  )
  basic[oidc.customFetch] = boundedFetch
  for (const extend of execute) extend(basic)
  return basic
}

class MetadataError extends Error {
  override name = 'MetadataError'
}

/** Metadata that no sign-in can succeed with are not kept. */
function requireEndpoints(
  {
    authorization_endpoint: forBrowsers,
    token_endpoint: forCodes,
    jwks_uri: ofKeys,
  }: OpenidClient.ServerMetadata,
  issuer: string,
): void {
  const protocols = isLoopback(issuer) ? ['http:', 'https:'] : ['https:']
  for (const endpoint of [forBrowsers, forCodes, ofKeys]) {
    const isText = typeof endpoint === 'string' && URL.canParse(endpoint)
    if (!isText || !protocols.includes(new URL(endpoint).protocol)) throw new MetadataError()
  }
}

async function exchange(
  configuration: OpenidClient.Configuration,
  url: URL,
  { state, nonce, verifier }: AttemptSecrets,
  trustsEmail: boolean,
): Promise<Identity & { issuedAt: number }> {
  const oidc = await loadClient()
  const tokens = await oidc.authorizationCodeGrant(configuration, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('the provider gave no ID token')
  const { iss: issuer, sub: subject, iat: issuedAt } = claims
  // Providers may tell the address, or whether they have verified it, only there.
  const isUnsaid =
    claims.email === undefined || (claims.email_verified === undefined && !trustsEmail)
  const more =
    isUnsaid && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await oidc.fetchUserInfo(configuration, tokens.access_token, subject)
      : undefined
  // What is said of one address says nothing of another one.
  const { email, email_verified: verified } =
    more !== undefined && [more.email, undefined].includes(claims.email as string | undefined)
      ? more
      : claims
  const name = UserName.safeParse(claims.name ?? more?.name).data
  return {
    issuer,
    subject,
    email: typeof email === 'string' ? email : undefined,
    name,
    // Some providers write it as a text.
    isEmailVerified: verified === undefined ? undefined : verified === true || verified === 'true',
    issuedAt,
  }
}

/** An ID token of a time that has not come. */
class FutureError extends Error {
  override name = 'FutureError'
}

/** Loads a value when it is first asked for, once for all who wait, and again when it is old. */
function keptFor<T>(now: () => Date, load: () => Promise<T>) {
  let kept: { value: Promise<T>; untilMs: number } | undefined
  return {
    read() {
      if (kept !== undefined && now().getTime() < kept.untilMs) return kept.value
      const loading = { value: load(), untilMs: now().getTime() + METADATA_SECONDS * 1000 }
      loading.value.catch(() => {
        loading.untilMs = now().getTime() + AWAY_SECONDS * 1000
      })
      kept = loading
      return loading.value
    },
    forget() {
      kept = undefined
    },
  }
}

/** What providers say when they refuse (RFC 6749, 4.1.2.1 and 5.2; OpenID Connect Core 1.0, 3.1.2.6). */
const REFUSALS = new Set<unknown>([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
])

/** For the log: what failed, and nothing that the provider or a browser made up. */
function reasonOf(error: unknown): string {
  const { code, error: refusal } = error as { code?: unknown; error?: unknown }
  const name = error instanceof Error ? error.name : 'unknown'
  const reason = typeof code === 'string' ? code : name
  return REFUSALS.has(refusal) ? `${reason} ${refusal}` : reason
}

/**
 * The issuer that a provider names where it is another one than was expected.
 *
 * @param error of the library
 * @returns undefined when the error is about something else; else cut, and without control characters
 */
function otherIssuer(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code, cause } = one as { code?: unknown; cause?: unknown }
    if (!COMPARISONS.has(code) || typeof cause !== 'object' || cause === null) continue
    const { attribute, body, claim, claims } = cause as Record<string, unknown>
    const ofMetadata = attribute === 'issuer' ? (body as { issuer?: unknown }).issuer : undefined
    const named = claim === 'iss' ? (claims as { iss?: unknown }).iss : ofMetadata
    if (typeof named !== 'string') continue
    return named.slice(0, LOGGED_MAX_LENGTH).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
  }
  return undefined
}
