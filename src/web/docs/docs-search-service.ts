import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { AppDefinition } from '../../marketplace/apps/definition.ts'
import type { FieldSchema } from './field-list.ts'
import { forThisServer, GUIDES } from './guides.ts'
import type { Hit, SearchIndex } from './search-index.ts'

const GUIDE_DIRECTORY = new URL('../../../docs/', import.meta.url)

/** A server -> the index of its documentation, made once, when somebody searches. */
const indexes = new WeakMap<Deps['config'], Promise<SearchIndex>>()

/** The sections of the documentation that have all words of a text, the best first. */
export async function searchDocs(
  { config }: Pick<Deps, 'config'>,
  query: string,
): Promise<{ terms: readonly string[]; hits: readonly Hit[] }> {
  const { termsOf } = await import('./search-text.ts')
  const { searchSections } = await import('./search-index.ts')
  const index = indexes.get(config) ?? readIndex(config.publicUrl)
  indexes.set(config, index)
  const terms = termsOf(query)
  return { terms, hits: searchSections(await index, terms) }
}

async function readIndex(publicUrl: string): Promise<SearchIndex> {
  const { searchIndex } = await import('./search-index.ts')
  return searchIndex({
    guides: await readGuides(publicUrl),
    appDefinition: await readDefinitionSchema(),
  })
}

/** The guides with their texts as this server shows them. */
export async function readGuides(publicUrl: string) {
  return Promise.all(
    GUIDES.map(async ({ name, title }) => {
      const text = await readFile(new URL(`${name}.md`, GUIDE_DIRECTORY), 'utf8')
      return { path: `/docs/${name}`, title, text: forThisServer(name, text, publicUrl) }
    }),
  )
}

/** The schema of a definition, with its parts in their places. */
export async function readDefinitionSchema(): Promise<FieldSchema> {
  const { withoutReferences } = await import('./field-list.ts')
  return withoutReferences(z.toJSONSchema(AppDefinition, { io: 'input' }) as FieldSchema)
}
