import pino from 'pino'
import sharp from 'sharp'
import { afterEach, describe, expect, test } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import {
  createPictureConverter,
  type PictureConverter,
} from '../../../../src/marketplace/apps/media/picture-converter.ts'
import {
  apng,
  drawing,
  moving,
  noise,
  pictureFile,
  pngOfSize,
  pngWith,
} from '../../../setup/hostile-pictures.ts'

const log = pino({ level: 'silent' })
const made: PictureConverter[] = []
const converter = (options = {}) => {
  const one = createPictureConverter({ log, ...options })
  made.push(one)
  return one
}
afterEach(() => {
  for (const one of made.splice(0)) one.close()
})

const shared = createPictureConverter({ log, idleMs: 1000 })
const convert = (content: Uint8Array | string, kind: 'icon' | 'screenshot' = 'icon') =>
  shared.convert('a', Buffer.from(content), kind)

const problemOf = async (work: Promise<unknown>): Promise<[string, string]> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AppError)
  return [(error as AppError).code, (error as AppError).message]
}

/** Whether a process is there; one that has just ended may wait for its parent. */
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'as %s becomes WebP in the sizes of an icon',
    async (format) => {
      const { files, width, height } = await convert(await pictureFile(300, 300, format))
      expect([width, height]).toEqual([256, 256])
      const shown = await Promise.all(
        files.map(async ({ size, content }) => {
          const head = await sharp(content).metadata()
          return [size, head.format, head.width, head.height, head.space]
        }),
      )
      expect(shown).toEqual([
        ['64', 'webp', 64, 64, 'srgb'],
        ['128', 'webp', 128, 128, 'srgb'],
        ['256', 'webp', 256, 256, 'srgb'],
      ])
    },
  )

  test('is never made larger', async () => {
    const { files, width } = await convert(await pictureFile(128, 128))
    expect(width).toBe(128)
    expect((await sharp(files.at(-1)?.content).metadata()).width).toBe(128)
  })

  test('of a screen fits into 640 and 1600 pixels', async () => {
    const { files, width, height } = await convert(await pictureFile(2560, 1280), 'screenshot')
    expect([width, height, files.map(({ size }) => size)]).toEqual([1600, 800, ['640', 'full']])
  })

  test('loses EXIF, XMP, texts and profiles, and stands as it is seen', async () => {
    const told = await drawing(800, 640)
      .withExif({ IFD0: { Copyright: 'SECRET-EXIF', ImageDescription: 'SECRET-EXIF' } })
      .withMetadata({ orientation: 6 })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    const text = Buffer.from('Comment\0SECRET-TEXT', 'latin1')
    const commented = pngWith(await pictureFile(800, 640), 'tEXt', text)
    const { files, width, height } = await convert(told, 'screenshot')
    // The camera was held upright.
    expect([width, height]).toEqual([640, 800])
    const others = (await convert(commented, 'screenshot')).files
    for (const { content } of [...files, ...others]) {
      expect(Buffer.from(content).toString('latin1')).not.toContain('SECRET')
      const { exif, icc, xmp, orientation } = await sharp(content).metadata()
      expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
    }
  })

  test('with a page of HTML behind it leaves the page behind', async () => {
    const page = '<!doctype html><script>alert(1)</script>'
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const both = Buffer.concat([await pictureFile(256, 256, format), Buffer.from(page)])
      const { files } = await convert(both)
      for (const { content } of files) {
        expect(Buffer.from(content).toString('latin1')).not.toContain('script')
      }
    }
  })
})

describe('what is no still PNG, JPEG or WebP picture is refused', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><script/></svg>'
  const riff = Buffer.concat([Buffer.from('RIFF\x20\0\0\0WEBP', 'latin1'), Buffer.alloc(40, 65)])
  const cases: [string, () => Promise<Buffer | string> | Buffer | string][] = [
    ['nothing', () => ''],
    ['SVG', () => svg],
    ['SVG with a declaration', () => `<?xml version="1.0"?>${svg}`],
    ['HTML', () => '<!doctype html><img src=x onerror=alert(1)>'],
    ['HTML behind the first bytes of a PNG', () => '\x89PNG<script>alert(1)</script>'],
    ['the signature of a PNG and HTML', () => Buffer.from('89504e470d0a1a0a3c68746d6c3e', 'hex')],
    ['the start of a JPEG and HTML', () => Buffer.from('ffd8ff3c68746d6c3e', 'hex')],
    ['the start of a WebP and no more', () => riff],
    ['PDF', () => '%PDF-1.7\n%%EOF'],
    ['GIF', () => pictureFile(256, 256, 'gif')],
    ['TIFF', () => pictureFile(256, 256, 'tiff')],
    ['AVIF', () => pictureFile(256, 256, 'avif')],
    ['an animated GIF', () => moving('gif')],
    ['an animated WebP', () => moving('webp')],
    ['an APNG', () => apng()],
    ['gzip', () => Buffer.from('1f8b08000000000000ff', 'hex')],
    ['a PNG cut off', async () => cut(await noisy('png'))],
    ['a JPEG cut off', async () => cut(await noisy('jpeg'))],
    ['a WebP cut off', async () => cut(await noisy('webp'))],
  ]
  const noisy = async (format: 'png' | 'jpeg' | 'webp') =>
    sharp(await noise(256, 256))
      .toFormat(format)
      .toBuffer()
  const cut = (content: Buffer) => content.subarray(0, Math.floor(content.length / 2))

  test.each(cases)('%s', async (_, make) => {
    const [code, words] = await problemOf(convert(await make()))
    expect(code).toBe('unprocessable')
    expect(words).not.toMatch(/vips|sharp|buffer/i)
  })
})

describe('the size in pixels', () => {
  test.each([
    ['icon', 127, 127, 'has 127 × 127 pixels'],
    ['icon', 1025, 1025, 'has 1025 × 1025 pixels'],
    ['icon', 256, 255, 'must be square'],
    ['screenshot', 639, 400, 'has 639 × 400 pixels'],
    ['screenshot', 2561, 100, 'has 2561 × 100 pixels'],
    ['screenshot', 50_000, 50_000, 'at most 25 megapixels'],
    ['icon', 50_000, 50_000, 'at most 25 megapixels'],
    ['screenshot', 2560, 9766, 'at most 25 megapixels'],
    ['screenshot', 1, 2_147_483_647, 'cannot be read'],
  ] as const)('of a %s of %d by %d is refused', async (kind, width, height, words) => {
    const problem = await problemOf(convert(pngOfSize(width, height), kind))
    expect(problem).toEqual(['unprocessable', expect.stringContaining(words)])
  })

  test('counts as the picture is seen', async () => {
    const turned = await drawing(600, 700).withMetadata({ orientation: 8 }).jpeg().toBuffer()
    expect(await convert(turned, 'screenshot')).toMatchObject({ width: 700, height: 600 })
  })

  test('of 25 megapixels is taken', async () => {
    const { files } = await convert(await noise(2560, 9765), 'screenshot')
    expect(files.length).toBe(2)
  })
})

describe('the process', () => {
  test('starts with the first picture, ends when it is idle, and starts again', async () => {
    const one = converter({ idleMs: 50 })
    expect(one.pid()).toBeUndefined()
    const icon = await pictureFile(256, 256)
    await one.convert('a', icon, 'icon')
    const first = one.pid() as number
    expect(first).toBeTypeOf('number')
    await expect.poll(() => one.pid()).toBeUndefined()
    await expect.poll(() => isThere(first)).toBe(false)
    await one.convert('a', icon, 'icon')
    expect(one.pid()).not.toBe(first)
  })

  test('that is killed costs one picture, and nobody else anything', async () => {
    const one = converter()
    const slow = await noise(2560, 9000)
    const icon = await pictureFile(256, 256)
    const lost = problemOf(one.convert('a', slow, 'screenshot'))
    const others = ['b', 'c'].map((who) => one.convert(who, icon, 'icon'))
    process.kill(one.pid() as number, 'SIGKILL')
    expect((await lost)[0]).toBe('unavailable')
    for (const { width } of await Promise.all(others)) expect(width).toBe(256)
  })

  test('that takes too long is ended', async () => {
    const one = converter({ workMs: 1 })
    const [code, words] = await problemOf(one.convert('a', await noise(2560, 5000), 'screenshot'))
    expect([code, words]).toEqual(['unprocessable', expect.stringContaining('takes longer')])
    expect(one.pid()).toBeUndefined()
  })

  test('has none of the variables of this one', async () => {
    const one = converter()
    await one.convert('a', await pictureFile(256, 256), 'icon')
    const { readFile } = await import('node:fs/promises')
    const environment = await readFile(`/proc/${one.pid()}/environ`, 'latin1').catch(() => '')
    expect(environment).not.toMatch(/DATABASE|SECRET|HOME=/)
  })

  test('takes two pictures of a developer at once, and others in between', async () => {
    const one = converter()
    const icon = await pictureFile(256, 256)
    const own = [1, 2].map(() => one.convert('a', icon, 'icon'))
    expect((await problemOf(one.convert('a', icon, 'icon')))[0]).toBe('too_many_requests')
    const other = one.convert('b', icon, 'icon')
    await Promise.all([...own, other])
    await one.convert('a', icon, 'icon')
  })

  test('takes no more pictures of all than it has room for', async () => {
    const one = converter()
    const icon = await pictureFile(256, 256)
    const all = Array.from({ length: 20 }, (_, index) =>
      one.convert(`developer ${index}`, icon, 'icon').then(
        () => 'done',
        ({ code }: AppError) => code,
      ),
    )
    const ends = await Promise.all(all)
    expect(ends.filter((end) => end === 'done').length).toBe(16)
    expect(ends.filter((end) => end === 'too_many_requests').length).toBe(4)
  })
})
