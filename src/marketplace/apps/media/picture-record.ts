import { z } from 'zod'
import { picturePath } from './picture.ts'

const Path = (size: string) =>
  z
    .string()
    .describe(`Path on this server: WebP, ${size}.`)
    .meta({ examples: ['/media/2f0a6f0e-6d0b-4a7e-9a53-6a0e1f9f2b11/128.webp'] })

export const AppIcon = z
  .object({
    id: z.uuid(),
    small: Path('64 by 64 pixels'),
    medium: Path('at most 128 by 128 pixels'),
    large: Path('at most 256 by 256 pixels'),
  })
  .meta({ id: 'AppIcon', description: 'The icon of an app. Another icon has another id.' })
export type AppIcon = z.infer<typeof AppIcon>

export const AppScreenshot = z
  .object({
    id: z.uuid(),
    alt: z.string().describe('What stands for the picture where it is not seen.'),
    caption: z.string().describe('Under the picture; empty for none.'),
    width: z.int().describe('Of `full`, in pixels.'),
    height: z.int().describe('Of `full`, in pixels.'),
    small: Path('at most 640 pixels on its longer side'),
    full: Path('at most 1600 pixels on its longer side'),
  })
  .meta({ id: 'AppScreenshot', description: 'A screenshot of an app.' })
export type AppScreenshot = z.infer<typeof AppScreenshot>

/** The icon of an app by the id of its picture. */
export function iconOf(id: string | null): AppIcon | null {
  if (id === null) return null
  return {
    id,
    small: picturePath(id, 64),
    medium: picturePath(id, 128),
    large: picturePath(id, 256),
  }
}

/** The columns that a screenshot is answered from. */
export const SCREENSHOT = {
  id: true,
  alt: true,
  caption: true,
  width: true,
  height: true,
} as const

/** The order of screenshots; the newest comes last where two have the same place. */
export const SCREENSHOTS_IN_ORDER: { place?: 'asc'; createdAt?: 'asc'; id?: 'asc' }[] = [
  { place: 'asc' },
  { createdAt: 'asc' },
  { id: 'asc' },
]

type ScreenshotRow = Pick<AppScreenshot, keyof typeof SCREENSHOT>

/** A row -> the screenshot as it is answered. */
export function screenshotOf({ id, alt, caption, width, height }: ScreenshotRow): AppScreenshot {
  const paths = { small: picturePath(id, 640), full: picturePath(id, 'full') }
  return { id, alt, caption, width, height, ...paths }
}
