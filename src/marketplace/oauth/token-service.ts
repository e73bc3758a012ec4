import type { DeveloperWithInstallation } from '../../base/values/principal.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { issueDeveloperToken } from '../../identity/auth/developer-login-service.ts'
import type { IssuedInstallationToken } from '../../identity/tokens/issued-token.ts'
import { verifyToken } from '../../identity/tokens/verify.ts'
import { issueInstallationToken } from '../installations/mint-token-service.ts'
import { namedClientId, type OAuthClient, provenClient } from './client-service.ts'
import { OAuthError } from './oauth-error.ts'
import { redeemCode, useCode } from './redeem-code-service.ts'
import { isOwnResource } from './resource.ts'
import { namesInScope } from './scope.ts'
import { ACCESS_TOKEN_TYPE, type TokenAnswer, type TokenRequest } from './token-request.ts'

/** Who asks, from where; `limit` spends a request of a developer's budget. */
export type Asking = {
  client: OAuthClient
  address: string
  limit: (developerId: string) => Promise<void> | undefined
}

/**
 * Answers a token request (RFC 6749, 3.2).
 *
 * @throws OAuthError; AppError of the functions that `POST /v1/Auth` and `POST /v1/Developer/Token`
 *   use too
 */
export async function grantToken(
  deps: Deps,
  asking: Asking,
  form: TokenRequest,
): Promise<TokenAnswer> {
  const { resource } = form
  if (resource !== undefined && !isOwnResource(resource, deps.config.publicUrl)) {
    throw new OAuthError('invalid_target', 'The resource is not the base address of this server.')
  }
  switch (required(form, 'grant_type')) {
    case 'authorization_code': {
      const { client, address } = asking
      const clientId = namedClientId(client)
      const code = required(form, 'code')
      if (form.code_verifier === undefined) await useCode(deps, code, address)
      const verifier = required(form, 'code_verifier')
      const input = { clientId, code, verifier, redirectUri: form.redirect_uri }
      return installationAnswer(await redeemCode(deps, input, address))
    }
    case 'client_credentials': {
      const credential = provenClient(asking.client)
      if (form.scope !== undefined) {
        throw new OAuthError('invalid_scope', 'A developer token has no scope.')
      }
      const { token, expiresIn } = await issueDeveloperToken(deps, credential)
      return { access_token: token, token_type: 'Bearer', expires_in: expiresIn }
    }
    case 'urn:ietf:params:oauth:grant-type:token-exchange': {
      const issued = await exchangeToken(deps, asking, form)
      return { ...installationAnswer(issued), issued_token_type: ACCESS_TOKEN_TYPE }
    }
    default:
      throw new OAuthError('unsupported_grant_type', 'The server has no such grant type.')
  }
}

/** The installation token of a developer token (RFC 8693), as of `POST /v1/Developer/Token`. */
async function exchangeToken(
  deps: Deps,
  { client, limit }: Asking,
  form: TokenRequest,
): Promise<IssuedInstallationToken> {
  const subjectToken = required(form, 'subject_token')
  const audience = required(form, 'audience')
  const { subject_token_type: subjectType, requested_token_type: wantedType } = form
  if (
    subjectType !== ACCESS_TOKEN_TYPE ||
    (wantedType ?? ACCESS_TOKEN_TYPE) !== ACCESS_TOKEN_TYPE
  ) {
    throw new OAuthError('invalid_request', `Both token types are ${ACCESS_TOKEN_TYPE}.`)
  }
  if (form.actor_token !== undefined) {
    throw new OAuthError('invalid_request', 'The server takes no actor_token.')
  }
  const developer = await developerOfToken(deps, subjectToken, audience)
  requireSameClient(client, developer)
  await limit(developer.developerId)
  const permissions = form.scope === undefined ? undefined : namesInScope(form.scope)
  if (permissions?.length === 0) {
    throw new OAuthError('invalid_scope', 'The scope names no permission.')
  }
  return issueInstallationToken(deps, developer, { installationId: audience, permissions })
}

/** @throws OAuthError invalid_request (RFC 8693, 2.2.2) */
async function developerOfToken(
  deps: Deps,
  token: string,
  installationId: string,
): Promise<DeveloperWithInstallation> {
  const { keys, config, now, principals } = deps
  const expected = { publicKeyOf: keys.publicKeyOf, issuer: config.publicUrl, now }
  try {
    const verified = await verifyToken(token, expected)
    const principal = await principals.checkWithInstallation(verified, installationId)
    if ('installation' in principal) return principal
  } catch (error) {
    if (!(error instanceof AppError && error.status === 401)) throw error
  }
  throw new OAuthError('invalid_request', 'The subject_token is not a developer token in force.')
}

/** A client that says who it is is the one that the token was made for. */
function requireSameClient(client: OAuthClient, developer: DeveloperWithInstallation): void {
  const isSame =
    client.kind === 'proven'
      ? client.credential.developerId === developer.developerId
      : (client.clientId ?? developer.clientId) === developer.clientId
  if (!isSame) {
    throw new OAuthError('invalid_request', 'The subject_token was made for another client.')
  }
}

function installationAnswer(issued: IssuedInstallationToken): TokenAnswer {
  return {
    access_token: issued.token,
    token_type: 'Bearer',
    expires_in: issued.expiresIn,
    scope: issued.permissions.join(' '),
    installation_id: issued.installationId,
  }
}

function required(form: TokenRequest, name: keyof TokenRequest & string): string {
  const value = form[name]
  if (value !== undefined) return value
  throw new OAuthError('invalid_request', `The parameter ${name} is missing.`)
}
