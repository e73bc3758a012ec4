import type { Db } from '../../../base/database/transaction.ts'

/** So many decided requests are kept: of one member, and of all members of an account. */
const KEPT = { member: 50, account: 500 }

/**
 * Forgets the oldest decided requests of a member, and then those of the account, beyond what is
 * kept: who asks and withdraws again and again pushes out only their own. The audit trail keeps
 * what became of them.
 *
 * @param tx a transaction; what another one forgets at this moment is left to that
 */
export async function forgetOldRequests(
  tx: Db,
  { userId, partyId }: { userId: string; partyId: number },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM install_requests WHERE id IN (
      SELECT id FROM install_requests WHERE id IN (
        SELECT id FROM install_requests
        WHERE user_id = ${userId}::uuid AND party_id = ${partyId}::int AND status <> 'pending'
        ORDER BY decided_at DESC, id OFFSET ${KEPT.member})
      FOR UPDATE SKIP LOCKED)`
  await tx.$executeRaw`
    DELETE FROM install_requests WHERE id IN (
      SELECT id FROM install_requests WHERE id IN (
        SELECT id FROM install_requests WHERE party_id = ${partyId}::int AND status <> 'pending'
        ORDER BY decided_at DESC, id OFFSET ${KEPT.account})
      FOR UPDATE SKIP LOCKED)`
}
