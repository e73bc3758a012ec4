import { apiModel } from './api-model.ts'
import { appGuidePage } from './app-guide-page.ts'
import { errorsPage } from './errors-page.ts'
import type { JsonSchema, OpenApiDocument } from './openapi-types.ts'
import { overviewPage } from './overview-page.ts'
import { groupPage, referencePage, schemasPage } from './reference-pages.ts'

export type DocsInput = {
  /** The OpenAPI document of the running application. */
  document: OpenApiDocument
  /** Public address of this server, without a trailing slash. */
  baseUrl: string
  /** JSON Schema of what developers send to publish an app. */
  appDefinition: JsonSchema
  /** A definition that uses every part, to be shown whole and in pieces. */
  exampleApp: Readonly<Record<string, unknown>>
  assetVersion: string | undefined
}

/** All pages of the documentation: path in lower case -> HTML document. */
export function renderDocs(input: DocsInput): ReadonlyMap<string, string> {
  const { document, baseUrl, assetVersion, appDefinition, exampleApp } = input
  const model = apiModel(document, baseUrl)
  const context = { model, assetVersion }
  return new Map([
    ['/docs', overviewPage(context)],
    ['/docs/apps', appGuidePage({ appDefinition, exampleApp }, context)],
    ['/docs/api', referencePage(context)],
    ...model.groups.map((group): [string, string] => [group.href, groupPage(group, context)]),
    ['/docs/schemas', schemasPage(context)],
    ['/docs/errors', errorsPage(context)],
  ])
}
