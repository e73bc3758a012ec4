import { setTimeout } from 'node:timers/promises'
import {
  fastifyHandler,
  hasCode,
  InstallationGoneError,
  type Marketplace,
  redirectHandler,
} from '@app-marketplace/client'
import { verify } from '@app-marketplace/client/webhooks'
import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance } from 'fastify'
import { followEvents } from './events.ts'
import { productsPage, type ShownProduct } from './page.ts'
import { createSessions } from './sessions.ts'
import type { Store } from './store.ts'

const SESSION = 'price-checker'
/** How long a page waits for events that did not arrive. */
const CATCH_UP_MS = 2_000

/** What the app needs. `origin` is its own address as browsers see it. */
export type AppOptions = {
  marketplace: Marketplace
  appId: string
  clientId: string
  password: string
  origin: string
  webhookSecrets: string[]
  store: Store
}

/** The app: the return address, one page, and the address of webhooks. */
export async function buildPriceChecker(options: AppOptions): Promise<FastifyInstance> {
  const { marketplace, appId, clientId, password, origin, webhookSecrets, store } = options
  const app = fastify()
  const sessions = createSessions()
  const inbox = followEvents(marketplace, appId, store)
  await app.register(cookie)
  // A signature covers the bytes of the body, so the app must not parse it first.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => body,
  )

  const opening = redirectHandler({
    baseUrl: marketplace.baseUrl,
    appId,
    clientId,
    password,
    returnUrl: `${origin}/auth/return`,
    delivery: 'code',
    opened: async ({ installationId }) => {
      const id = sessions.begin(installationId)
      const attributes = `Path=/; HttpOnly; SameSite=Lax${origin.startsWith('https:') ? '; Secure' : ''}`
      return { path: '/', headers: { 'set-cookie': `${SESSION}=${id}; ${attributes}` } }
    },
  })
  app.get('/auth/return', fastifyHandler(opening, origin))

  app.get('/', async (request, reply) => {
    const session = request.cookies[SESSION]
    const installationId = sessions.installationOf(session)
    if (installationId === undefined) return reply.redirect('/auth/return', 303)
    // The inbox waits for a marketplace that is away. A page does not.
    await Promise.race([inbox.catchUp(), setTimeout(CATCH_UP_MS, undefined, { ref: false })])
    const { limits } = store.read()
    const limit = limits[installationId] ?? 0
    try {
      const over: ShownProduct[] = []
      for await (const product of marketplace.installation(installationId).products()) {
        if ((product.msrp ?? 0) > limit) over.push(product)
      }
      return reply.type('text/html; charset=utf-8').send(productsPage(limit, over))
    } catch (error) {
      if (error instanceof InstallationGoneError) {
        // The account may install the app again, so the next visit asks the marketplace.
        sessions.end(session)
        return reply.code(410).send('The app was uninstalled.\n')
      }
      if (hasCode(error, 'installation_suspended')) {
        return reply.code(403).send('The installation is suspended.\n')
      }
      if (hasCode(error, 'unreachable', 'unavailable')) {
        reply.code(503).header('retry-after', '10')
        return reply.send('The marketplace is away. Try again in a moment.\n')
      }
      throw error
    }
  })

  app.post('/hook', async (request, reply) => {
    try {
      const event = verify(request.body as Buffer, request.headers, webhookSecrets)
      await inbox.receive(event)
    } catch (error) {
      if (!hasCode(error, 'invalid_webhook')) throw error
      return reply.code(401).send()
    }
    return reply.code(204).send()
  })

  return app
}
