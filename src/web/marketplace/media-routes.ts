import { z } from 'zod'
import { matchingTag } from '../../base/values/etags.ts'
import { UuidText } from '../../base/values/shapes.ts'
import type { App } from '../../http/app-type.ts'
import { findPicture } from '../../marketplace/apps/media/read-picture-service.ts'

const MediaPath = z.object({
  pictureId: UuidText,
  file: z.string().regex(/^[a-z0-9]{1,8}\.webp$/),
})

/**
 * A picture never changes under its address, but whether everybody may see it does: an app is made a
 * draft, or suspended. So nobody keeps it for ever, and what stands between a server and many people
 * keeps it for ten minutes at most.
 */
const CACHE = {
  public: 'public, max-age=86400, s-maxage=600, immutable',
  private: 'private, max-age=600, immutable',
} as const

/** The pictures of apps, for whoever may see the app. */
export async function mediaRoutes(app: App) {
  app.get(
    '/media/:pictureId/:file',
    { schema: { hide: true, params: MediaPath } },
    async (request, reply) => {
      const { pictureId: id, file } = request.params
      const size = file.slice(0, -'.webp'.length)
      const viewer = request.page.visitor ?? undefined
      const picture = await findPicture(app.deps, viewer, { id, size })
      const etag = `"${id}-${size}"`
      reply.headers({
        'cache-control': picture.isPublic ? CACHE.public : CACHE.private,
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-site',
        etag,
      })
      if (matchingTag(request.headers['if-none-match'] ?? '', [etag]) !== undefined) {
        return reply.code(304).send()
      }
      return reply.type('image/webp').send(await picture.read())
    },
  )
}
