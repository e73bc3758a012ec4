import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** A picture with some detail, as a file of a format. */
export function pictureFile(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif' = 'png',
): Promise<Buffer> {
  return drawing(width, height).toFormat(format).toBuffer()
}

/** A drawing that compresses well. */
export function drawing(width: number, height: number): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#0b6b61"/><circle cx="30%" cy="40%" r="20%" fill="#fc0"/></svg>`
  return sharp(Buffer.from(svg))
}

/** Noise in blocks, which hardly compresses. */
export async function noise(width: number, height: number): Promise<Buffer> {
  const create = {
    width: Math.ceil(width / 4),
    height: Math.ceil(height / 4),
    channels: 3,
    background: '#888',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  } as const
  const small = await sharp({ create }).png({ compressionLevel: 0 }).toBuffer()
  return sharp(small).resize({ width, height, fit: 'fill', kernel: 'nearest' }).jpeg().toBuffer()
}

/** Two frames that take turns. */
export async function moving(format: 'webp' | 'gif'): Promise<Buffer> {
  const frame = (background: string) =>
    sharp({ create: { width: 256, height: 256, channels: 3, background } })
      .png()
      .toBuffer()
  const frames = await Promise.all([frame('#f00'), frame('#00f')])
  return sharp(frames, { join: { animated: true } })
    .toFormat(format, { loop: 0, delay: [100, 100] })
    .toBuffer()
}

/** A chunk of a PNG file. */
function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A PNG file with further chunks behind its head. */
export function pngWith(png: Buffer, type: string, data: Buffer): Buffer {
  const headEnd = 8 + 25
  return Buffer.concat([png.subarray(0, headEnd), pngChunk(type, data), png.subarray(headEnd)])
}

/** A PNG file that says how large it is, and has next to no pixels. */
export function pngOfSize(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', head),
    pngChunk('IDAT', deflateSync(Buffer.alloc(1000))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** An APNG file of one frame more. */
export async function apng(): Promise<Buffer> {
  const frames = Buffer.alloc(8)
  frames.writeUInt32BE(2)
  return pngWith(await pictureFile(256, 256), 'acTL', frames)
}
