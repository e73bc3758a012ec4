import type { TestMarketplace } from '../setup/app.ts'
import type { Author } from '../setup/apps.ts'
import { draft, newId } from '../setup/apps.ts'
import { pictureFile } from '../setup/hostile-pictures.ts'

const own = { appId: 'pictured.apps' }
const PNG = 'image/png'

/** Requests about pictures and listings that are to succeed. */
export const PICTURE_AIMS = {
  replaceAppListing: { path: own, body: 'listing.bodies' },
  replaceIcon: { path: own, body: 'icon.files', type: PNG },
  deleteIcon: { path: own },
  createScreenshot: {
    path: own,
    query: { alt: 'screenshot.alts' },
    body: 'screenshot.files',
    type: PNG,
  },
  changeScreenshot: {
    path: { ...own, screenshotId: 'screenshot.ids' },
    body: 'screenshot.changes',
  },
  deleteScreenshot: { path: { ...own, screenshotId: 'screenshot.ids' } },
  replaceScreenshotOrder: { path: own, body: 'screenshot.orders' },
}

/** An app with an icon and a screenshot, and what can be sent about it. */
export async function picturePools(
  { deps: { db } }: TestMarketplace,
  developer: Author,
): Promise<Map<string, unknown[]>> {
  const { id: appId } = draft(newId())
  await developer.create(draft(appId))
  const { developerId } = await db.app.findUniqueOrThrow({ where: { id: appId } })
  const picture = { appId, developerId, alt: 'x', width: 1, height: 1, bytes: 1 }
  const icon = await db.appPicture.create({ data: { ...picture, kind: 'icon' } })
  const shot = await db.appPicture.create({ data: { ...picture, kind: 'screenshot' } })
  await db.app.update({ where: { id: appId }, data: { iconId: icon.id } })
  return new Map<string, unknown[]>([
    ['pictured.apps', [appId]],
    ['listing.bodies', [{ tagline: 'One' }, { tagline: 'Two', longDescription: '# Two' }]],
    ['icon.files', [await pictureFile(128, 128)]],
    ['screenshot.files', [await pictureFile(640, 100)]],
    ['screenshot.alts', ['A list']],
    ['screenshot.ids', [shot.id]],
    ['screenshot.changes', [{ alt: 'Another' }]],
    ['screenshot.orders', [[shot.id]]],
  ])
}
