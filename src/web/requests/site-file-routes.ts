import type { App } from '../../http/app-type.ts'

/** A day: an icon and rules that change with a release. */
const CACHE = 'public, max-age=86400'

/**
 * What crawlers may read: the catalogue and the documentation. Whatever else there is stays shut,
 * new pages included. The longest rule that fits an address counts (RFC 9309, 2.2.2).
 */
const ROBOTS = `User-agent: *
Disallow: /
Allow: /$
Allow: /Apps
Allow: /docs
Allow: /assets/
Allow: /media/
Allow: /openapi.json
Disallow: /Apps/Authenticate/
Disallow: /Apps/*/Install
Disallow: /docs/search
`

/** What browsers and crawlers ask every site for at a fixed address. */
export async function siteFileRoutes(
  app: App,
  { assetVersion }: { assetVersion: string },
): Promise<void> {
  app.get('/favicon.ico', { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', CACHE).redirect(`/assets/icon.svg?v=${assetVersion}`, 302),
  )
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', CACHE).type('text/plain; charset=utf-8').send(ROBOTS),
  )
}
