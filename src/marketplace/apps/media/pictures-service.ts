import type { Prisma } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import { withoutDeadline } from '../../../base/fair-share/deadline.ts'
import type { DeveloperAuthor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { AuditAction } from '../../../identity/audit/audit-actions.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import {
  type ConvertedPicture,
  PICTURES_OF_DEVELOPER_MAX_BYTES,
  type PictureKind,
  SCREENSHOTS_MAX,
} from './picture.ts'
import {
  type AppIcon,
  type AppScreenshot,
  iconOf,
  SCREENSHOT,
  SCREENSHOTS_IN_ORDER,
  screenshotOf,
} from './picture-record.ts'

type PictureDeps = Pick<Deps, 'db' | 'pictures'>
type OwnApp = { appId: string; developerId: string }

/**
 * Gives an app an icon, in place of the one that it has.
 *
 * @throws AppError not_found, unprocessable, too_many_requests, unavailable
 */
export async function putIcon(
  deps: PictureDeps,
  author: DeveloperAuthor,
  appId: string,
  content: Uint8Array,
): Promise<AppIcon> {
  return withoutDeadline(async () => {
    const picture = await converted(deps, author, appId, { kind: 'icon', content })
    return storeIcon(deps, author, appId, picture)
  })
}

/**
 * Gives an app an icon that was converted before.
 *
 * @throws AppError not_found, unprocessable
 */
export async function storeIcon(
  { db }: Pick<Deps, 'db'>,
  author: DeveloperAuthor,
  appId: string,
  picture: ConvertedPicture,
): Promise<AppIcon> {
  const own = { appId, developerId: author.developerId }
  return inTransaction(db, async (tx) => {
    const before = await lockOwnApp(tx, own)
    await dropPicture(tx, before.iconId)
    await requireRoom(tx, own, picture)
    const { id } = await insertPicture(tx, own, { kind: 'icon', picture })
    await noteChange(tx, author, appId, 'app.icon_changed', { iconId: id })
    return iconOf(id) as AppIcon
  })
}

/** @throws AppError not_found when the app has no icon */
export async function removeIcon(
  { db }: Pick<Deps, 'db'>,
  author: DeveloperAuthor,
  appId: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { iconId } = await lockOwnApp(tx, { appId, developerId: author.developerId })
    if (iconId === null) throw new AppError('not_found')
    await dropPicture(tx, iconId)
    await noteChange(tx, author, appId, 'app.icon_removed', { iconId: null })
  })
}

type Words = { alt: string; caption: string }

/**
 * Adds a screenshot behind those that an app has.
 *
 * @throws AppError not_found, unprocessable, too_many_requests, unavailable; conflict when there are
 *   as many as there may be
 */
export async function addScreenshot(
  deps: PictureDeps,
  author: DeveloperAuthor,
  appId: string,
  { content, ...words }: Words & { content: Uint8Array },
): Promise<AppScreenshot> {
  const own = { appId, developerId: author.developerId }
  await requireScreenshotRoom(deps.db, own)
  return withoutDeadline(async () => {
    const picture = await converted(deps, author, appId, { kind: 'screenshot', content })
    return storeScreenshot(deps, author, appId, { picture, ...words })
  })
}

/**
 * Adds a screenshot that was converted before.
 *
 * @throws AppError not_found, unprocessable, conflict
 */
export async function storeScreenshot(
  { db }: Pick<Deps, 'db'>,
  author: DeveloperAuthor,
  appId: string,
  { picture, ...words }: Words & { picture: ConvertedPicture },
): Promise<AppScreenshot> {
  const own = { appId, developerId: author.developerId }
  return inTransaction(db, async (tx) => {
    await lockOwnApp(tx, own)
    await requireScreenshotRoom(tx, own)
    await requireRoom(tx, own, picture)
    const { _max } = await tx.appPicture.aggregate({ where: own, _max: { place: true } })
    const place = (_max.place ?? 0) + 1
    const row = await insertPicture(tx, own, { kind: 'screenshot', picture, ...words, place })
    await noteChange(
      tx,
      author,
      appId,
      'app.screenshot_added',
      {},
      { after: { id: row.id, ...words } },
    )
    return screenshotOf(row)
  })
}

/**
 * Changes what is said about a screenshot.
 *
 * @throws AppError not_found
 */
export async function changeScreenshot(
  { db }: Pick<Deps, 'db'>,
  author: DeveloperAuthor,
  { appId, id }: { appId: string; id: string },
  words: { alt?: string | undefined; caption?: string | undefined },
): Promise<AppScreenshot> {
  return inTransaction(db, async (tx) => {
    const before = await lockScreenshot(tx, { appId, developerId: author.developerId }, id)
    const { alt = before.alt, caption = before.caption } = words
    if (alt === before.alt && caption === before.caption) return screenshotOf(before)
    await tx.appPicture.update({ where: { id }, data: { alt, caption } })
    const changed = {
      before: { id, alt: before.alt, caption: before.caption },
      after: { alt, caption },
    }
    await noteChange(tx, author, appId, 'app.screenshot_changed', {}, changed)
    return screenshotOf({ ...before, alt, caption })
  })
}

/** @throws AppError not_found */
export async function removeScreenshot(
  { db }: Pick<Deps, 'db'>,
  author: DeveloperAuthor,
  { appId, id }: { appId: string; id: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { alt } = await lockScreenshot(tx, { appId, developerId: author.developerId }, id)
    await dropPicture(tx, id)
    await noteChange(tx, author, appId, 'app.screenshot_removed', {}, { before: { id, alt } })
  })
}

/**
 * Puts the screenshots of an app into an order.
 *
 * @param ids of all of them
 * @throws AppError not_found; unprocessable when these are not its screenshots, each once
 */
export async function orderScreenshots(
  { db }: Pick<Deps, 'db'>,
  author: DeveloperAuthor,
  appId: string,
  ids: readonly string[],
): Promise<AppScreenshot[]> {
  return inTransaction(db, async (tx) => {
    const own = { appId, developerId: author.developerId }
    await lockOwnApp(tx, own)
    const before = await screenshotsOf(tx, own)
    const known = new Map(before.map((one) => [one.id, one]))
    const ordered = ids.flatMap((id) => known.get(id) ?? [])
    if (
      new Set(ids).size !== ids.length ||
      ordered.length !== ids.length ||
      ids.length !== known.size
    ) {
      throw new AppError('unprocessable', {
        detail: `The app has ${known.size} screenshots: name the id of each once.`,
        errors: [{ pointer: '', detail: 'must name each screenshot of the app once' }],
      })
    }
    if (before.every(({ id }, index) => id === ids[index])) return before.map(screenshotOf)
    for (const [index, id] of ids.entries()) {
      await tx.appPicture.update({ where: { id }, data: { place: index + 1 } })
    }
    const order = { before: { ids: before.map(({ id }) => id) }, after: { ids: [...ids] } }
    await noteChange(tx, author, appId, 'app.screenshots_ordered', {}, order)
    return ordered.map(screenshotOf)
  })
}

/** Takes the listing and the pictures away from an app that is deleted; its row is locked. */
export async function deleteListingOfApp(tx: Db, { appId, developerId }: OwnApp): Promise<void> {
  await tx.app.update({ where: { id: appId }, data: { iconId: null, tagline: '' } })
  await tx.appPicture.deleteMany({ where: { appId, developerId } })
  await tx.appListing.deleteMany({ where: { appId } })
}

/**
 * Converts a picture, which may take longer than other requests.
 *
 * @throws AppError not_found before anything is done with the picture
 */
async function converted(
  { db, pictures }: PictureDeps,
  { developerId }: DeveloperAuthor,
  id: string,
  { kind, content }: { kind: PictureKind; content: Uint8Array },
): Promise<ConvertedPicture> {
  const where = { id, developerId, deletedAt: null }
  if ((await db.app.count({ where })) === 0) throw new AppError('not_found')
  return pictures.convert(developerId, content, kind)
}

/** @throws AppError not_found */
async function lockOwnApp(
  tx: Db,
  { appId, developerId }: OwnApp,
): Promise<{ iconId: string | null }> {
  const [row] = await tx.$queryRaw<{ iconId: string | null }[]>`
    SELECT icon_id AS "iconId" FROM apps
    WHERE id = ${appId} AND developer_id = ${developerId}::uuid AND deleted_at IS NULL
    FOR NO KEY UPDATE`
  if (row === undefined) throw new AppError('not_found')
  return row
}

function screenshotsOf(tx: Db, own: OwnApp) {
  const where = { ...own, kind: 'screenshot' }
  return tx.appPicture.findMany({ where, select: SCREENSHOT, orderBy: SCREENSHOTS_IN_ORDER })
}

/** @throws AppError not_found */
async function lockScreenshot(tx: Db, own: OwnApp, id: string) {
  await lockOwnApp(tx, own)
  const where = { ...own, id, kind: 'screenshot' }
  const row = await tx.appPicture.findFirst({ where, select: SCREENSHOT })
  if (row === null) throw new AppError('not_found')
  return row
}

/** @throws AppError conflict */
async function requireScreenshotRoom(db: Db, own: OwnApp): Promise<void> {
  const count = await db.appPicture.count({ where: { ...own, kind: 'screenshot' } })
  if (count < SCREENSHOTS_MAX) return
  throw new AppError('conflict', {
    detail: `An app has at most ${SCREENSHOTS_MAX} screenshots. Remove one first.`,
  })
}

/**
 * Decides under a lock whether a developer has room for another picture: two at once do not pass the
 * bound.
 *
 * @throws AppError unprocessable
 */
async function requireRoom(
  tx: Db,
  { developerId }: OwnApp,
  picture: ConvertedPicture,
): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM developers WHERE id = ${developerId}::uuid FOR NO KEY UPDATE`
  const { _sum } = await tx.appPicture.aggregate({ where: { developerId }, _sum: { bytes: true } })
  if ((_sum.bytes ?? 0) + bytesOf(picture) <= PICTURES_OF_DEVELOPER_MAX_BYTES) return
  throw new AppError('unprocessable', {
    detail: 'All pictures of a developer together may have 100 MiB. Remove some first.',
  })
}

function bytesOf({ files }: ConvertedPicture): number {
  return files.reduce((sum, { content }) => sum + content.length, 0)
}

type NewPicture = { kind: PictureKind; picture: ConvertedPicture } & Partial<Words> & {
    place?: number
  }

async function insertPicture(tx: Db, own: OwnApp, { picture, ...rest }: NewPicture) {
  const { width, height, files } = picture
  const row = await tx.appPicture.create({
    data: { ...own, ...rest, width, height, bytes: bytesOf(picture) },
    select: SCREENSHOT,
  })
  for (const { size, content } of files) {
    await tx.$executeRaw`
      INSERT INTO app_picture_files (picture_id, size, content)
      VALUES (${row.id}::uuid, ${size}, ${content})`
  }
  return row
}

/** Its files go with it. */
async function dropPicture(tx: Db, id: string | null): Promise<void> {
  if (id !== null) await tx.appPicture.deleteMany({ where: { id } })
}

/** Makes answers about the app new, and records the change. */
async function noteChange(
  tx: Db,
  { actor, developerId }: DeveloperAuthor,
  appId: string,
  action: Extract<AuditAction, `app.${'icon' | 'screenshot'}${string}`>,
  data: { iconId?: string | null },
  changed: { before?: Prisma.InputJsonObject; after?: Prisma.InputJsonObject } = {},
): Promise<void> {
  await tx.app.update({
    where: { id: appId },
    data: { ...data, listingRevision: { increment: 1 } },
  })
  await recordAudit(tx, {
    actor,
    action,
    subject: { kind: 'app', id: appId },
    developerId,
    ...changed,
  })
}
