import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { FactorGroup } from './factor-groups.ts'

/** How long after a code of the second factor nobody is asked for another one. */
const RECENT_FACTOR_SECONDS = 600

type PolicyDeps = Pick<Deps, 'db' | 'config'>

/** Whether a user has turned on a second factor. */
export async function hasSecondFactor({ db }: Pick<Deps, 'db'>, userId: string): Promise<boolean> {
  return (await db.secondFactor.count({ where: { userId, confirmedAt: { not: null } } })) > 0
}

/** Whether a user belongs to those who must have a second factor (REQUIRE_SECOND_FACTOR). */
export async function mustHaveFactor({ db, config }: PolicyDeps, userId: string): Promise<boolean> {
  const { requireSecondFactor } = config
  if (requireSecondFactor.length === 0) return false
  const groups = await groupsOf(db, userId)
  return groups.some((group) => requireSecondFactor.includes(group))
}

/** Whether a user must turn on a second factor before anything else. */
export async function mustEnrol(deps: PolicyDeps, userId: string): Promise<boolean> {
  return (await mustHaveFactor(deps, userId)) && !(await hasSecondFactor(deps, userId))
}

async function groupsOf(db: Deps['db'], userId: string): Promise<FactorGroup[]> {
  const [row] = await db.$queryRaw<Record<FactorGroup, boolean>[]>`
    SELECT u.operator OR u.support AS operators,
      EXISTS (SELECT 1 FROM developer_members d WHERE d.user_id = u.id) AS developers,
      EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = u.id AND m.role = 'admin') AS admins
    FROM users u WHERE u.id = ${userId}::uuid`
  return Object.entries(row ?? {}).flatMap(([group, isIn]) => (isIn ? [group as FactorGroup] : []))
}

/**
 * Refuses a user who must have a second factor and has not turned it on.
 *
 * @throws AppError second_factor_required
 */
export async function requireEnrolled(deps: PolicyDeps, userId: string): Promise<void> {
  if (!(await mustEnrol(deps, userId))) return
  throw new AppError('second_factor_required', {
    detail:
      'Your role needs a second factor. Sign in in a browser and turn it on, then sign in here ' +
      'with a code.',
  })
}

/**
 * Whether a change needs a code of the last ten minutes: from nobody, from those who have a second
 * factor, or from all, so that whoever has none has to turn one on first.
 */
export type RecentFactor = boolean | 'always'

/**
 * Asks somebody who has a second factor for another code when the last one is more than ten minutes
 * old.
 *
 * @param factorAt when the last code was given in this session or for this token
 * @param needed `always`: a user without a second factor is refused; otherwise
 *   such a user is asked for nothing
 * @throws AppError second_factor_required
 */
export async function requireRecentFactor(
  deps: Pick<Deps, 'db' | 'now'>,
  { userId, factorAt }: { userId: string; factorAt: Date | undefined },
  needed: RecentFactor,
): Promise<void> {
  if (needed === false) return
  const ageMs = deps.now().getTime() - (factorAt?.getTime() ?? Number.NEGATIVE_INFINITY)
  if (ageMs <= RECENT_FACTOR_SECONDS * 1000) return
  if (!(await hasSecondFactor(deps, userId))) {
    if (needed === 'always') throw ownFactorNeeded()
    return
  }
  throw new AppError('second_factor_required', {
    detail: 'This needs a code that is at most 10 minutes old. Sign in again with a code.',
    members: { maxAgeSeconds: RECENT_FACTOR_SECONDS },
  })
}

/** The refusal of a user without a factor who would change the second factor or password of others. */
function ownFactorNeeded(): AppError {
  return new AppError('second_factor_required', {
    detail:
      'This needs a second factor of your own. Turn on two-step sign-in on the security page of ' +
      'your account, then sign in again with a code.',
    page: {
      title: 'Turn on two-step sign-in first',
      ways: [{ href: '/Account/Security', label: 'Security settings' }],
    },
  })
}
