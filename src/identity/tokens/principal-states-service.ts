import type { Pool } from 'pg'
import { arrayText, queryTexts } from '../../base/database/statement.ts'
import { catalogueKey } from '../../base/values/catalogue-key.ts'
import type { InstallationState } from '../../base/values/principal.ts'
import type {
  AccountClaims,
  DeveloperClaims,
  InstallationClaims,
  VerifiedToken,
} from '../../base/values/token-claims.ts'

/** A verified token with claims of one kind. */
export type TokenOf<Claims> = VerifiedToken & { claims: Claims }

/** Why the principal of a token is not live any more, in words. */
export const PROBLEMS = {
  key: 'The key that signed the token was withdrawn.',
  revoked: 'The token was revoked.',
  credential:
    'The credential was removed, or the person left the developer, changed the password or signed ' +
    'out everywhere.',
  developer: 'The developer is suspended.',
  app: 'The app is suspended.',
  party: 'The account is suspended.',
  user: 'The user no longer belongs to the account.',
  account: 'The user is suspended or gone.',
  suspended: 'The installation is suspended.',
  uninstalled: 'The app was uninstalled.',
} as const
export type PrincipalProblem = keyof typeof PROBLEMS

/** A developer token, and the installation that is looked up with it. */
export type DeveloperAsked = TokenOf<DeveloperClaims> & { installationId?: string }
type DeveloperState = { problem: PrincipalProblem | null; installation: InstallationState | null }

/**
 * The array parameters as rows. Each array is in a sub-select of its own: otherwise Postgres plans
 * the statement again for every new length, which takes longer than running it.
 */
function unnested(...types: string[]): string {
  return `unnest(${types.map((type, index) => `(SELECT $${index + 2}::${type}[])`).join(', ')})`
}

/** Whether the key that signed a token was withdrawn, or stopped verifying before the time `$1`. */
const KEY_ENDED = `NOT EXISTS (
  SELECT 1 FROM signing_keys s
  WHERE s.kid = k.kid AND (s.verify_until IS NULL OR s.verify_until > $1::timestamptz))`

const DEVELOPERS = {
  name: 'developer-principals',
  text: `
    SELECT CASE
        WHEN ${KEY_ENDED} THEN 'key'
        WHEN c.id IS NULL OR c.removed_at IS NOT NULL THEN 'credential'
        WHEN d.suspended_at IS NOT NULL THEN 'developer'
        WHEN EXISTS (SELECT 1 FROM revoked_tokens r WHERE r.jti = k.jti) THEN 'revoked'
      END AS problem,
      CASE WHEN i.id IS NOT NULL THEN json_build_object(
        'id', i.id, 'appId', i.app_id, 'partyId', i.party_id, 'partyType', i.party_type,
        'permissions', i.permissions, 'tokenGeneration', i.token_generation,
        'suspendable', CASE WHEN i.status <> 'active' OR a.suspended_at IS NOT NULL
          OR d.suspended_at IS NOT NULL OR p.suspended_at IS NOT NULL
        THEN json_build_object(
          'status', i.status, 'suspendedBy', i.suspended_by,
          'suspendedReason', i.suspended_reason,
          'app', json_build_object(
            'suspendedAt', a.suspended_at, 'suspendedReason', a.suspended_reason,
            'developer', json_build_object(
              'suspendedAt', d.suspended_at, 'suspendedReason', d.suspended_reason)),
          'party', json_build_object(
            'suspendedAt', p.suspended_at, 'suspendedReason', p.suspended_reason)) END
      ) END AS installation
    FROM ${unnested('uuid', 'uuid', 'uuid', 'text', 'uuid')} WITH ORDINALITY
      AS k (credential_id, developer_id, jti, kid, installation_id, position)
    LEFT JOIN developer_credentials c
      ON c.id = k.credential_id AND c.developer_id = k.developer_id
    LEFT JOIN developers d ON d.id = c.developer_id
    LEFT JOIN installations i
      ON i.id = k.installation_id AND i.developer_id = k.developer_id AND i.live
    LEFT JOIN apps a ON a.id = i.app_id
    LEFT JOIN parties p ON p.id = i.party_id
    ORDER BY k.position`,
}

/** The state of each developer token, in their order. */
export async function loadDeveloperStates(
  pool: Pool,
  now: Date,
  asked: readonly DeveloperAsked[],
): Promise<DeveloperState[]> {
  const rows = await queryTexts(pool, DEVELOPERS, [
    now.toISOString(),
    arrayText(asked.map(({ claims }) => claims.cid)),
    arrayText(asked.map(({ claims }) => claims.sub)),
    arrayText(asked.map(({ claims }) => claims.jti)),
    arrayText(asked.map(({ kid }) => kid)),
    arrayText(asked.map(({ installationId }) => installationId ?? null)),
  ])
  return rows.map(([problem, installation]) => ({
    problem: problem as PrincipalProblem | null,
    installation: typeof installation === 'string' ? JSON.parse(installation) : null,
  }))
}

/**
 * A token that was made in the developer console names the person instead of a credential, with the
 * generations of the person and of the membership of the developer.
 */
const INSTALLATIONS = {
  name: 'installation-principals',
  text: `
    SELECT CASE
        WHEN ${KEY_ENDED} THEN 'key'
        WHEN i.id IS NULL OR i.live IS NULL THEN 'uninstalled'
        WHEN i.status <> 'active' THEN 'suspended'
        WHEN a.suspended_at IS NOT NULL THEN 'app'
        WHEN d.suspended_at IS NOT NULL THEN 'developer'
        WHEN p.suspended_at IS NOT NULL THEN 'party'
        WHEN i.token_generation <> k.generation THEN 'revoked'
        WHEN EXISTS (SELECT 1 FROM revoked_tokens r WHERE r.jti = k.jti) THEN 'revoked'
        WHEN k.user_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM memberships m JOIN users u ON u.id = m.user_id
          WHERE m.user_id = k.user_id AND m.party_id = i.party_id
            AND m.generation = k.membership_generation AND u.suspended_at IS NULL
        ) THEN 'user'
        WHEN (SELECT u.token_generation FROM users u WHERE u.id = k.user_id) <> k.user_generation
          THEN 'revoked'
        WHEN k.credential_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM developer_credentials c
          WHERE c.id = k.credential_id AND c.developer_id = i.developer_id AND c.removed_at IS NULL
        ) AND NOT EXISTS (
          SELECT 1 FROM developer_members m JOIN users u ON u.id = m.user_id
          WHERE m.user_id = k.credential_id AND m.developer_id = i.developer_id
            AND m.generation = k.membership_generation AND u.token_generation = k.user_generation
            AND u.suspended_at IS NULL
        ) THEN 'credential'
      END AS problem,
      ${catalogueKey('p')} AS catalogue
    FROM ${unnested('uuid', 'int', 'uuid', 'uuid', 'int', 'int', 'uuid', 'text')} WITH ORDINALITY
      AS k (installation_id, generation, jti, user_id, user_generation, membership_generation,
        credential_id, kid, position)
    LEFT JOIN installations i ON i.id = k.installation_id
    LEFT JOIN apps a ON a.id = i.app_id
    LEFT JOIN developers d ON d.id = i.developer_id
    LEFT JOIN parties p ON p.id = i.party_id
    ORDER BY k.position`,
}

/** The state of each installation token, in their order; `catalogue` names what its products are now. */
export async function loadInstallationStates(
  pool: Pool,
  now: Date,
  tokens: readonly TokenOf<InstallationClaims>[],
) {
  const rows = await queryTexts(pool, INSTALLATIONS, [
    now.toISOString(),
    arrayText(tokens.map(({ claims }) => claims.sub)),
    arrayText(tokens.map(({ claims }) => claims.gen)),
    arrayText(tokens.map(({ claims }) => claims.jti)),
    arrayText(tokens.map(({ claims }) => claims.user_id ?? null)),
    arrayText(tokens.map(({ claims }) => claims.ugen ?? null)),
    arrayText(tokens.map(({ claims }) => claims.mgen ?? null)),
    arrayText(tokens.map(({ claims }) => claims.cid ?? null)),
    arrayText(tokens.map(({ kid }) => kid)),
  ])
  return rows.map(([problem, catalogue]) => ({
    problem: problem as PrincipalProblem | null,
    catalogue: catalogue ?? '',
  }))
}

const USERS = {
  name: 'user-principals',
  text: `
    SELECT CASE
        WHEN ${KEY_ENDED} THEN 'key'
        WHEN u.id IS NULL OR u.suspended_at IS NOT NULL THEN 'account'
        WHEN u.token_generation <> k.generation THEN 'revoked'
        WHEN EXISTS (SELECT 1 FROM revoked_tokens r WHERE r.jti = k.jti) THEN 'revoked'
      END AS problem,
      u.operator, u.support
    FROM ${unnested('uuid', 'int', 'uuid', 'text')} WITH ORDINALITY
      AS k (user_id, generation, jti, kid, position)
    LEFT JOIN users u ON u.id = k.user_id
    ORDER BY k.position`,
}

/** The state of each account token, in their order. */
export async function loadUserStates(
  pool: Pool,
  now: Date,
  tokens: readonly TokenOf<AccountClaims>[],
) {
  const rows = await queryTexts(pool, USERS, [
    now.toISOString(),
    arrayText(tokens.map(({ claims }) => claims.sub)),
    arrayText(tokens.map(({ claims }) => claims.gen)),
    arrayText(tokens.map(({ claims }) => claims.jti)),
    arrayText(tokens.map(({ kid }) => kid)),
  ])
  return rows.map(([problem, operator, support]) => ({
    problem: problem as PrincipalProblem | null,
    operator: operator === 't',
    support: support === 't',
  }))
}
