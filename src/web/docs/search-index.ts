import { setImmediate } from 'node:timers/promises'
import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import { PERMISSIONS } from '../../marketplace/apps/permissions.ts'
import { CHANGE_KINDS } from '../../marketplace/apps/versions/change-kinds.ts'
import { ERROR_GUIDE } from './error-guide.ts'
import type { FieldSchema } from './field-list.ts'
import { sectionsOf } from './markdown.ts'
import { folded } from './search-text.ts'

/** A part of the documentation that a search can lead to. */
type Section = {
  /** The title of its page. */
  page: string
  heading: string
  href: string
  paragraphs: readonly string[]
}

/** A section with its texts as they are compared. */
type Entry = Section & { keys: { page: string; heading: string; paragraphs: readonly string[] } }

export type SearchIndex = readonly Entry[]

/** What can be searched: guides, as this server shows them, and the schema of a definition. */
export type Searchable = {
  guides: readonly { path: string; title: string; text: string }[]
  appDefinition: FieldSchema
}

/** Makes the index of all sections; between two guides others have their turn. */
export async function searchIndex({ guides, appDefinition }: Searchable): Promise<SearchIndex> {
  const entries = [...errors(), ...fields(appDefinition), ...rulesOfDefinitions()].map(entry)
  for (const { path, title, text } of guides) {
    const sections = sectionsOf(text).map(({ id, heading, paragraphs }) => ({
      page: title,
      heading,
      href: id === undefined ? path : `${path}#${id}`,
      paragraphs,
    }))
    entries.push(...sections.map(entry))
    await setImmediate()
  }
  return entries
}

function entry(section: Section): Entry {
  const { page, heading, paragraphs } = section
  const keys = { page: folded(page), heading: folded(heading), paragraphs: paragraphs.map(folded) }
  return { ...section, keys }
}

function plain(text: string): string[] {
  return sectionsOf(text).flatMap(({ paragraphs }) => paragraphs)
}

function errors(): Section[] {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[]
  return codes.map((code) => ({
    page: 'Errors',
    heading: code,
    href: `/docs/errors#${code}`,
    paragraphs: [`${ERROR_CODES[code].title}.`, ...plain(ERROR_GUIDE[code])],
  }))
}

/** Every attribute of a definition, also those within another: `purchaseOptions.currency`. */
function fields(appDefinition: FieldSchema): Section[] {
  const found = new Map<string, Set<string>>()
  const visit = (schema: FieldSchema, path: string): void => {
    if (schema.description !== undefined && path !== '') {
      const texts = found.get(path) ?? new Set()
      found.set(path, texts.add(schema.description))
    }
    for (const [name, part] of Object.entries(schema.properties ?? {})) {
      visit(part, path === '' ? name : `${path}.${name}`)
    }
    const { items, oneOf = [], anyOf = [], additionalProperties } = schema
    const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
    const parts = [...(items === undefined ? [] : [items]), ...oneOf, ...anyOf, ...values]
    for (const part of parts) visit(part, path)
  }
  visit(appDefinition, '')
  return [...found].map(([path, texts]) => ({
    page: 'App definition',
    heading: path,
    href: `/docs/apps#field-${path.split('.', 1)[0]}`,
    paragraphs: [...texts].flatMap(plain),
  }))
}

function rulesOfDefinitions(): Section[] {
  const page = 'App definition'
  const permissions = PERMISSIONS.map(({ id, title, description }) => ({
    page,
    heading: id,
    href: `/docs/apps#permission-${id}`,
    paragraphs: [title, description],
  }))
  const changes = Object.entries(CHANGE_KINDS).map(([kind, { meaning }]) => ({
    page,
    heading: kind,
    href: '/docs/apps#versions',
    paragraphs: [meaning],
  }))
  return [...permissions, ...changes]
}

/** A section that has all terms, and the one of its paragraphs that has most of them. */
export type Hit = Section & { paragraph: string }

/** The sections that have all of the terms, the best first: a term counts most in a heading. */
export function searchSections(index: SearchIndex, terms: readonly string[]): Hit[] {
  if (terms.length === 0) return []
  const hits: { hit: Hit; score: number }[] = []
  for (const one of index) {
    const { page, heading, paragraphs } = one.keys
    const found = paragraphs.map((text) => terms.map((term) => scoreIn(text, term)))
    const scores = terms.map(
      (term, at) =>
        8 * scoreIn(heading, term) +
        2 * scoreIn(page, term) +
        Math.max(0, ...found.map((ofTerms) => ofTerms[at] ?? 0)),
    )
    if (scores.includes(0)) continue
    const counts = found.map((ofTerms) => ofTerms.filter((score) => score > 0).length)
    const best = counts.indexOf(Math.max(...counts))
    const paragraph = one.paragraphs[best] ?? ''
    const isWhole = heading === terms.join(' ')
    const score = scores.reduce((sum, one) => sum + one, isWhole ? 50 : 0)
    hits.push({ hit: { ...one, paragraph }, score })
  }
  return hits.sort((a, b) => b.score - a.score).map(({ hit }) => hit)
}

/** How often a term is looked at in a text: a single letter stands in it hundreds of times. */
const PLACES_MAX = 5

/** 3 where the term is a word, 2 where a word begins with it, 1 where it is inside, 0 without it. */
function scoreIn(text: string, term: string): number {
  const isInWord = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at))
  let best = 0
  let at = text.indexOf(term)
  for (let place = 0; at !== -1 && place < PLACES_MAX && best < 3; place++) {
    best = Math.max(best, isInWord(at - 1) ? 1 : isInWord(at + term.length) ? 2 : 3)
    at = text.indexOf(term, at + 1)
  }
  return best
}
