import { readFile } from 'node:fs/promises'
import type { DeveloperAuthor } from '../../base/values/actor.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import type { Deps } from '../../deps.ts'
import { AppListing } from '../../marketplace/apps/listing/app-listing.ts'
import { replaceAppListing } from '../../marketplace/apps/listing/app-listing-service.ts'
import { type ConvertedPicture, PICTURE_SIZES } from '../../marketplace/apps/media/picture.ts'
import { storeIcon, storeScreenshot } from '../../marketplace/apps/media/pictures-service.ts'

const DEMO_DIR = new URL('../../../demo/', import.meta.url)
/** As `scripts/demo-pictures.ts` draws them. */
const ICON = { width: 256, height: 256 }
const SCREENSHOT = { width: 1600, height: 1000 }

type DemoListing = {
  listing: AppListing
  screenshots: { name: string; alt: string; caption: string }[]
}

/** Gives an app of the demo its listing and its pictures. The latter are in all sizes already. */
export async function addDemoListing(
  deps: Pick<Deps, 'db'>,
  author: DeveloperAuthor,
  appId: string,
): Promise<void> {
  const text = await readFile(new URL(`listings/${appId}.json`, DEMO_DIR), 'utf8')
  const { listing, screenshots }: DemoListing = JSON.parse(text)
  await replaceAppListing(deps, author, appId, parseInput(AppListing, listing))
  const icon = { ...ICON, files: await filesOf(appId, 'icon', 'icon') }
  await storeIcon(deps, author, appId, icon)
  for (const { name, ...words } of screenshots) {
    const picture = { ...SCREENSHOT, files: await filesOf(appId, 'screenshot', name) }
    await storeScreenshot(deps, author, appId, { picture, ...words })
  }
}

async function filesOf(
  appId: string,
  kind: keyof typeof PICTURE_SIZES,
  name: string,
): Promise<ConvertedPicture['files']> {
  const sizes = Object.keys(PICTURE_SIZES[kind])
  return Promise.all(
    sizes.map(async (size) => {
      const file = new URL(`pictures/${appId}/${name}-${size}.webp`, DEMO_DIR)
      return { size, content: new Uint8Array(await readFile(file)) }
    }),
  )
}
