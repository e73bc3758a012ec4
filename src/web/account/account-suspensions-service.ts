import type { Deps } from '../../deps.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'

/** The suspended accounts of the user: id -> by whom and why. */
export async function readAccountSuspensions(
  { db }: Pick<Deps, 'db'>,
  userId: string,
): Promise<ReadonlyMap<number, SuspensionCause>> {
  const rows = await db.party.findMany({
    where: { memberships: { some: { userId } }, suspendedAt: { not: null } },
    select: { id: true, suspendedReason: true },
  })
  return new Map(
    rows.map(({ id, suspendedReason: reason }) => [
      id,
      { what: 'account', by: 'operator', reason },
    ]),
  )
}
