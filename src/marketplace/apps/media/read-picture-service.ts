import type { Prisma } from '../../../base/database/generated/client.ts'
import { createByteCache } from '../../../base/values/byte-cache.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { VISIBLE_TO_ALL, visibleTo } from '../visibility/visible-apps-service.ts'

/** Somebody who is signed in, and looks at a picture. */
type Viewer = { id: string; operator: boolean; support?: boolean }

/** A picture that was found. */
type FoundPicture = {
  /** Whether everybody may see it now. */
  isPublic: boolean
  read(): Promise<Uint8Array>
}

/** Pictures that are kept in memory. They never change under their id. */
const KEPT_BYTES = 16 * 1_048_576
const known = createByteCache<Uint8Array>(KEPT_BYTES)

/**
 * A picture in one of its sizes.
 *
 * @throws AppError not_found, also when the viewer may not see the app
 */
export async function findPicture(
  { db }: Pick<Deps, 'db'>,
  viewer: Viewer | undefined,
  { id, size }: { id: string; size: string },
): Promise<FoundPicture> {
  const isSeen = (app: Prisma.AppWhereInput) =>
    db.appPicture.count({
      where: { id, files: { some: { size } }, app: { AND: [app], deletedAt: null } },
    })
  const isPublic = (await isSeen(VISIBLE_TO_ALL)) > 0
  if (!isPublic && (viewer === undefined || (await isSeen(seenBy(viewer))) === 0)) {
    throw new AppError('not_found')
  }
  return {
    isPublic,
    async read() {
      const key = `${id}/${size}`
      const kept = known.get(key)
      if (kept !== undefined) return kept
      const file = await db.appPictureFile.findUnique({
        where: { pictureId_size: { pictureId: id, size } },
      })
      if (file === null) throw new AppError('not_found')
      known.set(key, file.content, file.content.length)
      return file.content
    },
  }
}

/**
 * The apps whose pictures somebody may see: those whose listing is visible, those of the developers
 * that the viewer works for, and those that the viewer's accounts have, which show them in their lists.
 */
function seenBy({ id: userId, operator, support }: Viewer): Prisma.AppWhereInput {
  if (operator || support) return {}
  const ofViewer = { memberships: { some: { userId } } }
  return {
    OR: [
      visibleTo(userId),
      { developer: { members: { some: { userId } } } },
      { installations: { some: { live: true, party: ofViewer } } },
    ],
  }
}
