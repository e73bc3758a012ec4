import type { Db } from '../../src/base/database/transaction.ts'

/** The credential of an installation's developer, as the maker of a token. */
export async function credentialOf(
  db: Db,
  { developerId }: { developerId: string },
): Promise<{ cid: string }> {
  const { id } = await db.developerCredential.findFirstOrThrow({
    where: { developerId, removedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return { cid: id }
}
