import type { Deps } from '../../deps.ts'

/**
 * Where somebody begins who signs in to nothing in particular: at the apps of the accounts, and
 * without an account in the own console.
 */
export async function landingPath(
  { db }: Pick<Deps, 'db'>,
  userId: string,
): Promise<'/' | '/Operator' | '/Developer'> {
  const user = await db.user.findUnique({
    where: { id: userId, memberships: { none: {} } },
    select: { operator: true, support: true, _count: { select: { developers: true } } },
  })
  if (user === null) return '/'
  if (user.operator || user.support) return '/Operator'
  return user._count.developers > 0 ? '/Developer' : '/'
}
