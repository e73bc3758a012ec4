import { createHash } from 'node:crypto'
import type { Deps } from '../../deps.ts'

/**
 * Marks what opens a session as used. Of two uses at once the primary key lets one through.
 *
 * @param value a state of single sign-on
 * @param expiresAt after which it is refused for its age, so that it can be forgotten
 * @returns whether this was the first use
 */
export async function useOnce(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  value: string,
  expiresAt: Date,
): Promise<boolean> {
  const id = new Uint8Array(createHash('sha256').update(value).digest())
  await db.usedSignIn.deleteMany({ where: { expiresAt: { lt: now() } } })
  const { count } = await db.usedSignIn.createMany({
    data: { id, expiresAt },
    skipDuplicates: true,
  })
  return count === 1
}
