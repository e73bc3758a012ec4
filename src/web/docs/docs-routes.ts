import { readFile } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchingTag } from '../../base/values/etags.ts'
import type { App } from '../../http/app-type.ts'
import { registerScope } from '../../http/register-scope.ts'
import { sendPage, sendPublicPage } from '../../http/send-page.ts'
import { acceptForms, csrfToken, sessionCookie } from '../requests/pages.ts'
import { headerOf } from '../requests/visitor.ts'
import type { Visitor } from '../requests/visitor-type.ts'
import { filterReader } from '../shared/forms/filter-reading.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { render } from '../shared/page/html.ts'
import { siteHeader } from '../shared/page/html-page.ts'
import type { DocsContext } from './docs-page.ts'
import { readDefinitionSchema, readGuides, searchDocs } from './docs-search-service.ts'
import { etagOf, type OpenApiDocument, readOpenApiDocument } from './openapi-document-service.ts'
import { REFERENCE_POLICY, referencePage } from './reference-page.ts'

const EXAMPLE_APP = new URL('../../../demo/apps/price-sync.json', import.meta.url)

type Page = { document: string; etag: string }

type ReadVisitor = (cookie: string | undefined) => Promise<Visitor | undefined>

type DocsOptions = {
  assetVersion: string
  /** The version of the release. */
  version: string
  /** Who is signed in with the cookie of a session. */
  visitors: { member: ReadVisitor; developer: ReadVisitor }
}

/** The OpenAPI document, its reference, and the guides with their search. */
export async function docsRoutes(app: App, { assetVersion, version, visitors }: DocsOptions) {
  const { publicUrl } = app.deps.config
  const exampleApp = JSON.parse(await readFile(EXAMPLE_APP, 'utf8'))
  const texts = await readGuides(app.deps.config.publicUrl)
  const strangersHeader = render(siteHeader({ assetVersion }))
  let openApi: Promise<OpenApiDocument> | undefined

  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    const { bytes, etag } = await readOpenApi()
    reply.headers({ 'cache-control': 'no-cache', etag })
    if (isKnown(request, { etag })) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(bytes)
  })

  await registerScope(app, async (pages) => {
    // The header has the form that signs out.
    await acceptForms(pages, { assetVersion })
    // Pages and their renderer of Markdown are loaded when somebody reads them.
    docsRoute(pages, '/docs', async (context) => {
      const { docsOverviewPage } = await import('./overview-page.ts')
      return docsOverviewPage(context)
    })
    docsRoute(pages, '/docs/apps', async (context) => {
      const { appGuidePage } = await import('./app-guide-page.ts')
      return appGuidePage({ appDefinition: await readDefinitionSchema(), exampleApp }, context)
    })
    docsRoute(pages, '/docs/errors', async (context) => {
      const { errorsPage } = await import('./errors-page.ts')
      return errorsPage(context)
    })
    docsRoute(
      pages,
      '/docs/api',
      async () => referencePage(assetVersion, (await readOpenApi()).operations),
      REFERENCE_POLICY,
    )
    for (const { path, text } of texts) {
      docsRoute(pages, path, async (context) => {
        const { guidePage } = await import('./guide-page.ts')
        return guidePage(path, text, context)
      })
    }
    searchRoute(pages)
  })

  function searchRoute(pages: App): void {
    const options = { schema: { hide: true, querystring: Fields } }
    pages.get('/docs/search', options, async (request, reply) => {
      const { searchPage } = await import('./search-page.ts')
      const reader = filterReader(request.query, { q: 'Search' })
      const query = reader.text('q') ?? ''
      const { problems } = reader
      const { terms, hits } = await searchDocs(app.deps, query)
      if (problems.length > 0) reply.code(422)
      const document = searchPage({ query, terms, hits, problems }, await context())
      return answer(request, reply, keptPage(document))
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
    pages: App,
    path: string,
    renderDocument: (context: DocsContext) => Promise<string>,
    policy?: string,
  ): void {
    let page: Page | undefined
    pages.get(path, { schema: { hide: true } }, async (request, reply) => {
      const about = await context()
      page ??= keptPage(await renderDocument(about))
      return answer(request, reply, page, policy)
    })
  }

  async function context(): Promise<DocsContext> {
    const { linkOf } = await readOpenApi()
    return { baseUrl: app.deps.config.publicUrl, linkOf, assetVersion }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, page: Page, policy?: string) {
    // Strangers share a page; a visitor with a session has one that is nobody else's.
    reply.header('vary', 'Origin, Cookie')
    const header = await headerFor(request, reply)
    if (header !== undefined) {
      const own = page.document.replace(strangersHeader, () => header)
      const its = { length: own.length, pieces: () => [own] }
      return sendPage(reply, its, { policy })
    }
    reply.header('etag', page.etag)
    const known = isKnown(request, page)
    if (known) reply.code(304)
    return sendPublicPage(reply, known ? undefined : page.document, policy)
  }

  /** The header with who is signed in. */
  async function headerFor(
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | undefined> {
    const cookie = sessionCookie(request)
    if (cookie === undefined) return undefined
    try {
      const visitor = await visitors.member(cookie)
      if (visitor === undefined) return undefined
      return render(
        siteHeader({
          user: headerOf(visitor, request),
          csrfToken: csrfToken(request, reply),
          section: 'docs',
          assetVersion,
        }),
      )
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
