/** Largest file of a picture that is taken, in bytes. */
export const PICTURE_MAX_BYTES = 5 * 1024 * 1024
/** Most pixels that a picture may have. */
export const PICTURE_MAX_PIXELS = 25_000_000
/** All pictures of a developer together, as they are stored, in bytes. */
export const PICTURES_OF_DEVELOPER_MAX_BYTES = 100 * 1024 * 1024
export const SCREENSHOTS_MAX = 8
export const ALT_MAX_LENGTH = 200
export const CAPTION_MAX_LENGTH = 200

/** Kind of picture -> name of a size, as it is in addresses -> the longest side in pixels. */
export const PICTURE_SIZES = {
  icon: { 64: 64, 128: 128, 256: 256 },
  screenshot: { 640: 640, full: 1600 },
} as const
export type PictureKind = keyof typeof PICTURE_SIZES

/** Width or height in pixels, the least and the most. */
const SIDES = { icon: [128, 1024], screenshot: [640, 2560] } as const

/** What the server makes of a picture that was sent: WebP in the sizes that pages use. */
export type ConvertedPicture = {
  /** Of the largest file. */
  width: number
  height: number
  files: { size: string; content: Uint8Array }[]
}

/** The path of a picture in one of its sizes. */
export function picturePath(id: string, size: string | number): string {
  return `/media/${id}/${size}.webp`
}

export type PictureFormat = 'png' | 'jpeg' | 'webp'

/** What a file is by how it begins, whatever it is called; undefined when it is nothing that is taken. */
export function pictureFormat(content: Buffer): PictureFormat | undefined {
  if (content.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png'
  if (content.subarray(0, 3).equals(JPEG_START)) return 'jpeg'
  const riff = content.toString('latin1', 0, 4) + content.toString('latin1', 8, 12)
  return riff === 'RIFFWEBP' ? 'webp' : undefined
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG_START = Buffer.from('ffd8ff', 'hex')

/** Whether a file says that it moves; a single frame counts, too. */
export function isAnimated(content: Buffer, format: PictureFormat): boolean {
  if (format === 'png') {
    // What comes after the first pixels does not make a PNG move (PNG, third edition, 11.3.6).
    return hasChunk(content, PNG_CHUNKS, ['acTL'])
  }
  return format === 'webp' && hasChunk(content, WEBP_CHUNKS, ['ANIM', 'ANMF'])
}

/** Where the chunks of a format begin, and how the head of each is read. */
type Chunks = {
  start: number
  overhead: number
  head(content: Buffer, at: number): { type: string; length: number }
  last?: string
}

const PNG_CHUNKS: Chunks = {
  start: 8,
  // Length, type and checksum.
  overhead: 12,
  head: (content, at) => ({
    length: content.readUInt32BE(at),
    type: content.toString('latin1', at + 4, at + 8),
  }),
  last: 'IDAT',
}

const WEBP_CHUNKS: Chunks = {
  start: 12,
  overhead: 8,
  head: (content, at) => {
    const length = content.readUInt32LE(at + 4)
    return { type: content.toString('latin1', at, at + 4), length: length + (length % 2) }
  },
}

/** Whether a file has a chunk of one of these types, as far as its chunks can be followed. */
function hasChunk(content: Buffer, { start, overhead, head, last }: Chunks, types: string[]) {
  for (let at = start; at + overhead <= content.length; ) {
    const { type, length } = head(content, at)
    if (types.includes(type)) return true
    if (type === last) return false
    at += overhead + length
  }
  return false
}

/** What is wrong with the width and height of a picture, as it is seen; undefined when nothing is. */
export function sizeProblem(
  kind: PictureKind,
  { width, height }: { width: number; height: number },
): string | undefined {
  const [least, most] = SIDES[kind]
  const has = `has ${width} × ${height} pixels`
  if (width * height > PICTURE_MAX_PIXELS) {
    return `The picture ${has}: at most 25 megapixels are taken.`
  }
  if (kind === 'icon' && width !== height) return `An icon must be square: this one ${has}.`
  if (width >= least && width <= most) return undefined
  return kind === 'icon'
    ? `An icon must have ${least} to ${most} pixels on each side: this one ${has}.`
    : `A screenshot must be ${least} to ${most} pixels wide: this one ${has}.`
}
