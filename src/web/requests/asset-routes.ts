import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { z } from 'zod'
import { matchingTag } from '../../base/values/etags.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'

const DIRECTORY = new URL('../assets/', import.meta.url)
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The script of the API reference is larger than all else together, and seldom asked for. */
const KEPT_MAX_BYTES = 1024 * 1024

type Asset = { content: () => Buffer | Promise<Buffer>; mediaType: string; etag: string }
type Assets = { byName: ReadonlyMap<string, Asset>; version: string }

const AssetPath = z.object({ '*': z.string() })
const AssetQuery = z.looseObject({ v: z.unknown().optional() })

let assets: Assets | undefined

/** Stylesheets, scripts and icons; their version changes whenever one of them does. */
export function keptAssets(): Assets {
  assets ??= readAssets()
  return assets
}

function readAssets(): Assets {
  const names = readdirSync(DIRECTORY, { withFileTypes: true }).filter((one) => one.isFile())
  const files = names.map(({ name }) => [name, readFileSync(new URL(name, DIRECTORY))] as const)
  const contents = [
    ...files.filter(([name]) => name !== 'docs.css'),
    ['style.css', joined('styles')] as const,
    ['docs.css', joined('styles', '../docs.css')] as const,
    ['script.js', joined('scripts')] as const,
  ]
  const hash = createHash('sha256')
  const byName = new Map(
    contents.map(([name, bytes]) => {
      hash.update(bytes)
      return [name, assetOf(name, bytes)]
    }),
  )
  return { byName, version: hash.digest('hex').slice(0, 12) }
}

/** Where a style sheet stands that is no component. */
const RANKS: Readonly<Record<string, number>> = { base: -1, docs: 1, print: 2 }

/**
 * The files of a folder as one, which pages load at once: a file per component, `base` before the
 * others, and `print` after all, since what it says of paper holds for any page.
 */
function joined(folder: string, ...others: string[]): Buffer {
  const directory = new URL(`${folder}/`, DIRECTORY)
  const rank = (name: string) => RANKS[basename(name, extname(name))] ?? 0
  const names = [...readdirSync(directory), ...others].sort(
    (one, other) => rank(one) - rank(other) || (one < other ? -1 : 1),
  )
  return Buffer.concat(names.map((name) => readFileSync(new URL(name, directory))))
}

function assetOf(name: string, bytes: Buffer): Asset {
  const mediaType = MEDIA_TYPES[extname(name)]
  if (mediaType === undefined) throw new Error(`the asset ${name} has no media type`)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  const content =
    bytes.length <= KEPT_MAX_BYTES ? () => bytes : sharedContent(new URL(name, DIRECTORY))
  return { content, mediaType, etag: `"${hash}"` }
}

/** The content of a file, in memory only while an answer holds it; all answers hold the same. */
function sharedContent(file: URL): () => Promise<Buffer> {
  let shared: WeakRef<Buffer> | undefined
  let reading: Promise<Buffer> | undefined
  const read = async () => {
    try {
      const bytes = await readFile(file)
      shared = new WeakRef(bytes)
      return bytes
    } finally {
      reading = undefined
    }
  }
  return async () => {
    const known = shared?.deref()
    if (known !== undefined) return known
    reading ??= read()
    return reading
  }
}

/** Stylesheets and icons, kept for ever under the address that names their version. */
export async function assetRoutes(app: App, { byName, version }: Assets): Promise<void> {
  app.get(
    '/assets/*',
    { schema: { hide: true, params: AssetPath, querystring: AssetQuery } },
    async (request, reply) => {
      const asset = byName.get(request.params['*'])
      if (asset === undefined) throw new AppError('not_found')
      // Another version may have other bytes, as on another replica while a release rolls out.
      const isKept = request.query.v === version
      reply.headers({
        'cache-control': `public, max-age=${isKept ? '31536000, immutable' : '0'}`,
        etag: asset.etag,
      })
      const condition = request.headers['if-none-match']
      if (condition !== undefined && matchingTag(condition, [asset.etag]))
        return reply.code(304).send()
      return reply.type(asset.mediaType).send(await asset.content())
    },
  )
}
