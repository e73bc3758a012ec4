import type { Pool } from 'pg'
import { createBatch } from '../../base/concurrency/batch.ts'
import type {
  DeveloperCredentialPrincipal,
  DeveloperWithInstallation,
  InstallationPrincipal,
  Principal,
} from '../../base/values/principal.ts'
import { isUuid } from '../../base/values/shapes.ts'
import type {
  AccountClaims,
  DeveloperClaims,
  InstallationClaims,
  VerifiedToken,
} from '../../base/values/token-claims.ts'
import { AppError } from '../../errors.ts'
import {
  type DeveloperAsked,
  loadDeveloperStates,
  loadInstallationStates,
  loadUserStates,
  PROBLEMS,
  type PrincipalProblem,
  type TokenOf,
} from './principal-states-service.ts'

export type PrincipalCheck = {
  /**
   * Asks the database whether the principal of a verified token is live now, and whether the key
   * that signed the token is still in force.
   *
   * @throws AppError invalid_token when either has ended: revoked, removed, uninstalled, suspended
   */
  check(token: VerifiedToken): Promise<Principal>
  /**
   * Checks like `check`. For a developer token the same query also looks up one of the developer's
   * installations.
   *
   * @param installationId any text
   * @returns the principal, without an installation when the token is not a developer token
   * @throws AppError invalid_token
   */
  checkWithInstallation(
    token: VerifiedToken,
    installationId: string,
  ): Promise<Principal | DeveloperWithInstallation>
}

/**
 * Makes the check that every request passes. Nothing is remembered between requests, so every
 * replica refuses what was revoked before the request arrived. Requests that arrive together share
 * one query (see `createBatch`); those with the same token share one row of it.
 */
export function createPrincipalCheck(pool: Pool, now: () => Date): PrincipalCheck {
  const developerState = createBatch((asked: readonly DeveloperAsked[]) =>
    loadDeveloperStates(pool, now(), asked),
  )
  const installationState = createBatch((tokens: readonly TokenOf<InstallationClaims>[]) =>
    loadInstallationStates(pool, now(), tokens),
  )
  const userState = createBatch((tokens: readonly TokenOf<AccountClaims>[]) =>
    loadUserStates(pool, now(), tokens),
  )
  const check: PrincipalCheck['check'] = async (token) => {
    const { claims } = token
    switch (claims.aud) {
      case 'developer': {
        const { problem } = await developerState(token as TokenOf<DeveloperClaims>)
        refuse(problem)
        return developerPrincipal(claims)
      }
      case 'installation': {
        const { problem, catalogue } = await installationState(token as TokenOf<InstallationClaims>)
        refuse(problem)
        return installationPrincipal(claims, catalogue)
      }
      case 'account': {
        const { problem, operator, support } = await userState(token as TokenOf<AccountClaims>)
        refuse(problem)
        return { kind: 'user', userId: claims.sub, operator, support }
      }
    }
  }
  return {
    check,
    async checkWithInstallation(token, installationId) {
      const { claims, kid } = token
      if (claims.aud !== 'developer') return check(token)
      const id = isUuid(installationId) ? installationId : undefined
      const { problem, installation } = await developerState({
        ...(token as TokenOf<DeveloperClaims>),
        ...(id !== undefined && { installationId: id }),
      })
      refuse(problem)
      return { ...developerPrincipal(claims), kid, installation }
    },
  }
}

function refuse(problem: PrincipalProblem | null): void {
  if (problem !== null) {
    throw new AppError('invalid_token', { detail: PROBLEMS[problem], reason: problem })
  }
}

function developerPrincipal(claims: DeveloperClaims): DeveloperCredentialPrincipal {
  return {
    kind: 'developer',
    developerId: claims.sub,
    credentialId: claims.cid,
    clientId: claims.client_id,
  }
}

function installationPrincipal(
  claims: InstallationClaims,
  catalogue: string,
): InstallationPrincipal {
  return {
    kind: 'installation',
    installationId: claims.sub,
    appId: claims.app_id,
    partyId: claims.party_id,
    partyType: claims.party_type,
    permissions: claims.scope.split(' ').filter((permission) => permission !== ''),
    userId: claims.user_id,
    catalogue,
  }
}
