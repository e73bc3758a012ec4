import sharp from 'sharp'
import {
  type ConvertedPicture,
  isAnimated,
  PICTURE_MAX_PIXELS,
  PICTURE_SIZES,
  type PictureKind,
  pictureFormat,
  sizeProblem,
} from './picture.ts'

/**
 * The process that reads pictures, which anybody may have made: it has no secrets and no database, and
 * its parent ends it when it takes too long. It converts one picture at a time.
 */

export type PictureJob = { content: Uint8Array; kind: PictureKind }
/** `isLast`: the process is not to be used any more. */
export type PictureResult = { picture: ConvertedPicture } | { problem: string; isLast?: true }

/** More than the largest picture takes: decoded, 25 megapixels have 100 MB. */
const RSS_MAX_BYTES = 384 * 1024 * 1024
/** libvips works on threads of its own: this one is free to look. */
const LOOK_MS = 20

const NO_PICTURE = 'The file is no PNG, JPEG or WebP picture.'
const QUALITY = { icon: 90, screenshot: 82 } as const

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
})

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('message', (job) => {
  void work(job as PictureJob)
})

async function work({ content, kind }: PictureJob): Promise<void> {
  const look = setInterval(() => {
    if (process.memoryUsage.rss() <= RSS_MAX_BYTES) return
    clearInterval(look)
    const problem = 'The picture takes too much memory to read.'
    answer({ problem, isLast: true }, () => process.kill(process.pid, 'SIGKILL'))
  }, LOOK_MS)
  const result = await converted(content, kind).catch((error: unknown) => ({
    problem: readingProblem(error),
  }))
  clearInterval(look)
  answer(result)
}

function answer(result: PictureResult, sent?: () => void): void {
  process.send?.(result, undefined, undefined, sent)
}

async function converted(sent: Uint8Array, kind: PictureKind): Promise<PictureResult> {
  const content = Buffer.from(sent)
  const format = pictureFormat(content)
  if (format === undefined) return { problem: NO_PICTURE }
  if (isAnimated(content, format))
    return { problem: 'The picture moves: only still ones are taken.' }
  // The width and height in its head, for the words; what is decoded has the limit.
  const head = await sharp(content, { limitInputPixels: false }).metadata()
  if (head.format !== format || (head.pages ?? 1) > 1) return { problem: NO_PICTURE }
  const problem = sizeProblem(kind, head.autoOrient)
  if (problem !== undefined) return { problem }
  const files: (ConvertedPicture['files'][number] & { width: number; height: number })[] = []
  for (const [size, side] of Object.entries(PICTURE_SIZES[kind])) {
    // Nothing but pixels goes along: no EXIF, XMP, text or profile.
    const { data, info } = await sharp(content, {
      failOn: 'error',
      limitInputPixels: PICTURE_MAX_PIXELS,
      sequentialRead: true,
    })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .webp({ quality: QUALITY[kind] })
      .toBuffer({ resolveWithObject: true })
    files.push({ size, content: data, width: info.width, height: info.height })
  }
  const { width = 0, height = 0 } = files.toSorted((a, b) => a.width - b.width).at(-1) ?? {}
  return {
    picture: { width, height, files: files.map(({ size, content }) => ({ size, content })) },
  }
}

/** libvips has words for developers; of them only that a picture is too large is told. */
function readingProblem(error: unknown): string {
  return /pixel limit/i.test(String(error))
    ? 'The picture has more than 25 megapixels.'
    : 'The picture cannot be read: its file is damaged or incomplete.'
}
