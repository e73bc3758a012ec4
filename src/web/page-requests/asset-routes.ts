import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { matchingTag } from '../../values/etags.ts'

const DIRECTORY = new URL('../assets/', import.meta.url)
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type Asset = { content: Buffer; mediaType: string; etag: string }
type Assets = { byName: ReadonlyMap<string, Asset>; version: string }

const AssetPath = z.object({ '*': z.string() })
const AssetQuery = z.looseObject({ v: z.unknown().optional() })

let assets: Assets | undefined

/** The stylesheets and icons, read once; their version changes whenever one of them does. */
export function keptAssets(): Assets {
  assets ??= readAssets()
  return assets
}

function readAssets(): Assets {
  const names = readdirSync(DIRECTORY).sort()
  const byName = new Map(names.map((name) => [name, readAsset(name)]))
  const hash = createHash('sha256')
  for (const { content } of byName.values()) hash.update(content)
  return { byName, version: hash.digest('hex').slice(0, 12) }
}

function readAsset(name: string): Asset {
  const content = readFileSync(new URL(name, DIRECTORY))
  const mediaType = MEDIA_TYPES[extname(name)]
  if (mediaType === undefined) throw new Error(`the asset ${name} has no media type`)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  return { content, mediaType, etag: `"${hash}"` }
}

/** Stylesheets and icons, kept for ever under the address that names their version. */
export async function assetRoutes(app: App, { byName, version }: Assets): Promise<void> {
  app.get(
    '/assets/*',
    { schema: { hide: true, params: AssetPath, querystring: AssetQuery } },
    async (request, reply) => {
      const asset = byName.get(request.params['*'])
      if (asset === undefined) throw new AppError('not_found')
      // Of another version there may be other bytes, as on another replica while a release rolls out.
      const isKept = request.query.v === version
      reply.headers({
        'cache-control': `public, max-age=${isKept ? '31536000, immutable' : '0'}`,
        etag: asset.etag,
      })
      const condition = request.headers['if-none-match']
      if (condition !== undefined && matchingTag(condition, [asset.etag]))
        return reply.code(304).send()
      return reply.type(asset.mediaType).send(asset.content)
    },
  )
}
