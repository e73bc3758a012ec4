import type { Actor } from '../../base/values/actor.ts'
import { unprocessable } from '../../base/values/field-errors.ts'
import type {
  DeveloperPrincipal,
  InstallationState,
  NamedInstallation,
} from '../../base/values/principal.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { issueToken } from '../../identity/tokens/issue-service.ts'
import type { IssuedInstallationToken } from '../../identity/tokens/issued-token.ts'
import type { Installation } from './installation.ts'
import { requireNoSuspension, suspensionsForDeveloper } from './suspension-causes.ts'

export type InstallationTokenRequest = {
  installationId: string
  permissions?: readonly string[] | undefined
  expiresIn?: number | undefined
}

/**
 * Makes a token that acts for one installation of the developer's apps.
 *
 * @param developer with the installation that `input` names
 * @param input `permissions` narrows what the token may do, `expiresIn` is its lifetime in
 *   seconds
 * @throws AppError installation_not_accessible, the same for a malformed, unknown, uninstalled
 *   or another developer's id; installation_suspended; insufficient_scope when more permissions
 *   are asked for than were granted; unprocessable when the lifetime is over the maximum
 */
export async function issueInstallationToken(
  deps: Pick<Deps, 'keys' | 'config' | 'now' | 'measures' | 'auditCounts'>,
  developer: DeveloperPrincipal & NamedInstallation,
  input: InstallationTokenRequest,
): Promise<IssuedInstallationToken> {
  const ttlSeconds = input.expiresIn ?? deps.config.installationTokenTtlSeconds
  if (ttlSeconds > deps.config.maxTokenTtlSeconds) {
    const detail = `It may be at most ${deps.config.maxTokenTtlSeconds}.`
    throw unprocessable([{ pointer: '/expiresIn', detail }])
  }
  const installation = liveInstallation(developer.installation)
  const permissions = narrowed(installation.permissions, input.permissions)
  const issued = await issueToken(
    deps,
    tokenClaims(installation, permissions, makerOf(developer)),
    ttlSeconds,
    developer.kid === undefined ? [] : [developer.kid],
  )
  deps.auditCounts.add({
    actor: makerAsActor(developer),
    action: 'installation.tokens_minted',
    subject: { kind: 'installation', id: installation.id },
    developerId: developer.developerId,
    partyId: installation.partyId,
  })
  return { ...issued, installationId: installation.id, permissions }
}

function makerAsActor(developer: DeveloperPrincipal): Actor {
  if (developer.person === undefined) {
    return { kind: 'developer', id: developer.clientId, address: null }
  }
  const { developerId, person } = developer
  return { kind: 'user', id: person.userId, developerId, address: null }
}

/** What a token needs from its installation. */
export type TokenSubject = {
  id: string
  appId: string
  partyId: number
  partyType: Installation['partyType']
  permissions: readonly string[]
  tokenGeneration: number
}

/** The credential or the person that a developer makes a token with: it ends with them. */
function makerOf(developer: DeveloperPrincipal): TokenMaker {
  if (developer.person === undefined) return { cid: developer.credentialId }
  const { userId, generations } = developer.person
  return { cid: userId, ...generations }
}

/**
 * Who makes a token: a developer with a credential or as a person, or a user of the account. The
 * token ends when the credential is removed; one of a person or user when the password changes, the
 * person signs out everywhere, or the membership of the developer or account ends.
 */
type Generations = { ugen: number; mgen: number }
type TokenMaker =
  | { cid: string }
  | ({ cid: string } & Generations)
  | ({ user_id: string } & Generations)

/** The claims of a token for an installation. */
export function tokenClaims(
  installation: TokenSubject,
  permissions: readonly string[],
  maker: TokenMaker,
) {
  return {
    aud: 'installation' as const,
    sub: installation.id,
    client_id: installation.appId,
    app_id: installation.appId,
    party_id: installation.partyId,
    party_type: installation.partyType,
    scope: permissions.join(' '),
    gen: installation.tokenGeneration,
    ...maker,
  }
}

function liveInstallation(installation: InstallationState | null): InstallationState {
  if (installation === null) {
    throw new AppError('installation_not_accessible', {
      detail: 'List your installations with GET /v1/Developer/Installations.',
    })
  }
  const { suspendable } = installation
  if (suspendable !== null) requireNoSuspension(suspensionsForDeveloper(suspendable))
  return installation
}

function narrowed(granted: readonly string[], wanted: readonly string[] | undefined): string[] {
  if (wanted === undefined) return [...granted]
  const missing = wanted.filter((permission) => !granted.includes(permission))
  if (missing.length > 0) {
    throw new AppError('insufficient_scope', {
      detail: `The installation was not granted ${missing.join(', ')}.`,
      members: { required: [...wanted], granted: [...granted] },
    })
  }
  return granted.filter((permission) => wanted.includes(permission))
}
