import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppDefinition } from '../apps/definition.ts'
import type { App } from '../http/app-type.ts'
import { sendPage, sendPublicPage } from '../http/send-page.ts'
import { matchingTag } from '../values/etags.ts'
import { sessionCookieAnywhere } from '../web/page-requests/pages.ts'
import { render } from '../web/shared/page/html.ts'
import { siteHeader } from '../web/shared/page/html-page.ts'
import type { DocsContext } from './docs-page.ts'
import type { FieldSchema } from './field-list.ts'
import { GUIDES } from './guides.ts'
import { etagOf, type OpenApiDocument, readOpenApiDocument } from './openapi-document-service.ts'
import { REFERENCE_POLICY, referencePage } from './reference-page.ts'

const EXAMPLE_APP = new URL('../../demo/apps/price-sync.json', import.meta.url)
const GUIDE_DIRECTORY = new URL('../../docs/', import.meta.url)

type Page = { document: string; etag: string }

type ReadVisitor = (cookie: string | undefined) => Promise<ShownVisitor | undefined>
type ShownVisitor = { name: string; email: string; operator: boolean }

type DocsOptions = {
  assetVersion: string
  /** The version of the release. */
  version: string
  /** Who is signed in with the cookie of a session. */
  visitors: { user: ReadVisitor; developer: ReadVisitor }
}

/** The OpenAPI document, its reference, and the guides. */
export async function docsRoutes(app: App, { assetVersion, version, visitors }: DocsOptions) {
  const { publicUrl } = app.deps.config
  const exampleApp = JSON.parse(await readFile(EXAMPLE_APP, 'utf8'))
  const strangersHeader = render(siteHeader({ assetVersion }))
  let openApi: Promise<OpenApiDocument> | undefined

  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    const { bytes, etag } = await readOpenApi()
    reply.headers({ 'cache-control': 'no-cache', etag })
    if (isKnown(request, { etag })) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(bytes)
  })

  // Pages and their renderer of Markdown are loaded when somebody reads them.
  docsRoute('/docs', async (context) => {
    const { docsOverviewPage } = await import('./overview-page.ts')
    return docsOverviewPage(context)
  })
  docsRoute('/docs/apps', async (context) => {
    const { appGuidePage } = await import('./app-guide-page.ts')
    const { withoutReferences } = await import('./field-list.ts')
    const definition = z.toJSONSchema(AppDefinition, { io: 'input' }) as FieldSchema
    return appGuidePage({ appDefinition: withoutReferences(definition), exampleApp }, context)
  })
  docsRoute('/docs/errors', async (context) => {
    const { errorsPage } = await import('./errors-page.ts')
    return errorsPage(context)
  })
  docsRoute('/docs/api', async () => referencePage(assetVersion), REFERENCE_POLICY)
  for (const { name } of GUIDES) {
    const path = `/docs/${name}`
    const text = await readFile(new URL(`${name}.md`, GUIDE_DIRECTORY), 'utf8')
    docsRoute(path, async (context) => {
      const { guidePage } = await import('./guide-page.ts')
      return guidePage(path, text, context)
    })
  }

  /** Once, when it is first asked for: by then every route is there. */
  function readOpenApi(): Promise<OpenApiDocument> {
    const routes = app.routes.all()
    openApi ??= readOpenApiDocument({ version, publicUrl, routes }).catch((error) => {
      openApi = undefined
      throw error
    })
    return openApi
  }

  /** A page that is rendered once, when it is first asked for. */
  function docsRoute(
    path: string,
    renderDocument: (context: DocsContext) => Promise<string>,
    policy?: string,
  ): void {
    let page: Page | undefined
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const about = await context()
      page ??= keptPage(await renderDocument(about))
      return answer(request, reply, page, policy)
    })
  }

  async function context(): Promise<DocsContext> {
    const { linkOf } = await readOpenApi()
    return { baseUrl: app.deps.config.publicUrl, linkOf, assetVersion }
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    page: Page,
    policy: string | undefined,
  ) {
    // Strangers share a page; who has a session has one that is nobody else's.
    reply.header('vary', 'Origin, Cookie')
    const header = await headerFor(request)
    if (header !== undefined) {
      const own = page.document.replace(strangersHeader, () => header)
      const its = { length: own.length, hasScript: false, pieces: () => [own] }
      return sendPage(reply, its, { policy })
    }
    reply.header('etag', page.etag)
    const known = isKnown(request, page)
    return sendPublicPage(reply.code(known ? 304 : 200), known ? undefined : page.document, policy)
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
}

function keptPage(document: string): Page {
  return { document, etag: etagOf(document) }
}

function isKnown(request: FastifyRequest, { etag }: Pick<Page, 'etag'>): boolean {
  const condition = request.headers['if-none-match']
  return condition !== undefined && matchingTag(condition, [etag]) !== undefined
}
