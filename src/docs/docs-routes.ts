import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppDefinition } from '../apps/definition.ts'
import { AppError } from '../errors.ts'
import type { App } from '../http/app-type.ts'
import { withoutReferences } from '../http/openapi/references.ts'
import { sendPage, sendPublicPage } from '../http/send-page.ts'
import { matchingTag } from '../values/etags.ts'
import { sessionCookieAnywhere } from '../web/plumbing/pages.ts'
import { render } from '../web/shared/html.ts'
import { siteHeader } from '../web/shared/html-page.ts'
import type { JsonSchema, OpenApiDocument } from './openapi-types.ts'

import { renderDocs } from './site.ts'

const EXAMPLE_APP = new URL('../../demo/apps/price-sync.json', import.meta.url)
const PATHS = ['/docs', '/docs/apps', '/docs/api', '/docs/schemas', '/docs/errors']

const GroupPath = z.object({ group: z.string() })

/** What operations share; schemas have a page of their own. */
const SHARED_PARTS = ['parameters', 'headers', 'responses'].map((kind) => `#/components/${kind}/`)

type Page = { document: string; etag: string }

type ReadVisitor = (cookie: string | undefined) => Promise<ShownVisitor | undefined>
type ShownVisitor = { name: string; email: string; operator: boolean }

type DocsOptions = {
  assetVersion: string
  /** Who is signed in with the cookie of a session. */
  visitors: { user: ReadVisitor; developer: ReadVisitor }
}

/** The OpenAPI document, and documentation for people made from it. */
export async function docsRoutes(app: App, { assetVersion, visitors }: DocsOptions) {
  const exampleApp = JSON.parse(await readFile(EXAMPLE_APP, 'utf8'))
  const strangersHeader = render(siteHeader({ assetVersion }))
  let pages: ReadonlyMap<string, Page> | undefined
  let openApi: Page | undefined

  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    openApi ??= pageOf(JSON.stringify(app.swagger()))
    reply.headers({ 'cache-control': 'no-cache', etag: openApi.etag })
    if (isKnown(request, openApi)) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(openApi.document)
  })

  for (const path of PATHS) {
    app.get(path, { schema: { hide: true } }, (request, reply) => answer(request, reply, path))
  }

  app.get('/docs/api/:group', { schema: { hide: true, params: GroupPath } }, (request, reply) =>
    answer(request, reply, `/docs/api/${request.params.group.toLowerCase()}`),
  )

  async function answer(request: FastifyRequest, reply: FastifyReply, path: string) {
    // Rendered once, when first asked for: by then every route is registered.
    pages ??= renderAll()
    const page = pages.get(path)
    if (page === undefined) throw new AppError('not_found')
    // Strangers share a page; who has a session has one that is nobody else's.
    reply.header('vary', 'Origin, Cookie')
    const header = await headerFor(request)
    if (header !== undefined) {
      return sendPage(
        reply,
        page.document.replace(strangersHeader, () => header),
      )
    }
    reply.header('etag', page.etag)
    const known = isKnown(request, page)
    return sendPublicPage(reply.code(known ? 304 : 200), known ? '' : page.document)
  }

  /** The header with who is signed in: a developer rather than a user, whom no page here is for. */
  async function headerFor(request: FastifyRequest): Promise<string | undefined> {
    const cookies = {
      developer: sessionCookieAnywhere(request, 'developer'),
      user: sessionCookieAnywhere(request, 'user'),
    }
    if (cookies.developer === undefined && cookies.user === undefined) return undefined
    try {
      const developer = await visitors.developer(cookies.developer)
      const user = developer ?? (await visitors.user(cookies.user))
      if (user === undefined) return undefined
      const area = developer === undefined ? 'marketplace' : 'developers'
      return render(siteHeader({ user, area, section: 'docs', assetVersion }))
    } catch (error) {
      // The documentation answers without the database, too.
      request.log.debug({ reqId: request.id, err: error }, 'no visitor for the documentation')
      return undefined
    }
  }

  function renderAll(): ReadonlyMap<string, Page> {
    const document = app.swagger() as unknown as OpenApiDocument
    const definition = z.toJSONSchema(AppDefinition, { io: 'input' }) as JsonSchema
    const documents = renderDocs({
      document: withoutReferences(document, document, SHARED_PARTS),
      baseUrl: app.deps.config.publicUrl,
      appDefinition: withoutReferences(definition, definition, ['#/$defs/']),
      exampleApp,
      assetVersion,
    })
    return new Map([...documents].map(([path, document]) => [path, pageOf(document)]))
  }
}

function pageOf(document: string): Page {
  const hash = createHash('sha256').update(document).digest('base64url').slice(0, 22)
  return { document, etag: `"${hash}"` }
}

function isKnown(request: FastifyRequest, { etag }: Page): boolean {
  const condition = request.headers['if-none-match']
  return condition !== undefined && matchingTag(condition, [etag]) !== undefined
}
