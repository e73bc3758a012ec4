import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import { nameKey } from '../../base/values/names.ts'
import { filledText } from '../../base/values/text.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

/** So many views one user has at most, of all lists together. */
const VIEWS_MAX = 50
const NAME_MAX = 60
const QUERY_MAX = 1_000

const NewView = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(/^\/[A-Za-z]+(?:\/[\w.:-]+)*$/),
  query: z.string().min(1).max(QUERY_MAX),
  name: filledText('line', NAME_MAX),
})

/** A list with certain filters, order and size, which a user has given a name. */
export type SavedView = z.infer<typeof NewView> & { id: string }

/** The views of a user, as they were saved. */
export async function listSavedViews(
  { db }: { db: Db },
  userId: string,
): Promise<readonly SavedView[]> {
  const { savedViews } = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { savedViews: true },
  })
  return savedViews as SavedView[]
}

/**
 * Gives the filters of a list a name.
 *
 * @param input `path` of the list, its `query` without a question mark, and the name
 * @throws AppError unprocessable; conflict when there are 50 views, or one of this list with the name
 */
export async function saveView(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  input: z.input<typeof NewView>,
): Promise<SavedView> {
  const view = { id: randomUUID(), ...parseInput(NewView, input) }
  await changeViews(db, userId, (views) => {
    if (views.length >= VIEWS_MAX) {
      throw new AppError('conflict', {
        detail: `You have ${VIEWS_MAX} saved views. Remove one first.`,
      })
    }
    const isTaken = ({ path, name }: SavedView) =>
      path === view.path && nameKey(name) === nameKey(view.name)
    if (views.some(isTaken)) {
      throw new AppError('conflict', { detail: 'You have a view of this list with this name.' })
    }
    return [...views, view]
  })
  return view
}

/**
 * Forgets a view.
 *
 * @throws AppError not_found when the user has none with this id
 */
export async function removeView(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  id: string,
): Promise<void> {
  await changeViews(db, userId, (views) => {
    if (!views.some((one) => one.id === id)) throw new AppError('not_found')
    return views.filter((one) => one.id !== id)
  })
}

function changeViews(
  db: Db,
  userId: string,
  change: (views: readonly SavedView[]) => readonly SavedView[],
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.$queryRaw`SELECT FROM users WHERE id = ${userId}::uuid FOR UPDATE`
    const savedViews = [...change(await listSavedViews({ db: tx }, userId))]
    await tx.user.update({ where: { id: userId }, data: { savedViews } })
  })
}
