import type { Db } from '../database/transaction.ts'
import { AppError } from '../errors.ts'

/**
 * Takes a developer for the rest of the transaction: nobody else changes it meanwhile.
 *
 * @throws AppError not_found
 */
export async function takeDeveloper(tx: Db, id: string) {
  await tx.$queryRaw`SELECT 1 FROM developers WHERE id = ${id}::uuid FOR UPDATE`
  const row = await tx.developer.findUnique({ where: { id } })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such developer.' })
  return { ...row, owner: { developerId: row.id } }
}

/**
 * Takes a party for the rest of the transaction; a sandbox is its developer's, too.
 *
 * @throws AppError not_found
 */
export async function takeParty(tx: Db, id: number) {
  await tx.$queryRaw`SELECT 1 FROM parties WHERE id = ${id} FOR UPDATE`
  const row = await tx.party.findUnique({
    where: { id },
    include: { sandboxOf: { select: { id: true } } },
  })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such party.' })
  return { ...row, owner: { partyId: row.id, developerId: row.sandboxOf?.id } }
}

/**
 * Takes a user for the rest of the transaction.
 *
 * @throws AppError not_found
 */
export async function takeUser(tx: Db, id: string) {
  await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${id}::uuid FOR UPDATE`
  const row = await tx.user.findUnique({ where: { id } })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such user.' })
  return { ...row, owner: {} }
}

/**
 * Refuses what would leave nobody who can sign in as an operator. Operators who stop each other at
 * the same moment take turns, and the second one finds itself alone. Called with the user's row
 * taken.
 *
 * @throws AppError operator_needed
 */
export async function requireAnotherOperator(tx: Db, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('who is an operator'))`
  const others = await tx.user.count({
    where: { operator: true, suspendedAt: null, id: { not: userId } },
  })
  if (others > 0) return
  const detail = 'This is the only operator who can sign in. Make another user an operator first.'
  throw new AppError('operator_needed', {
    detail,
    errors: [{ pointer: '/operator', detail }],
  })
}
