import { createRequire } from 'node:module'
import type { default as MarkdownIt, Token } from 'markdown-it'
import { type Html, html, raw } from './html.ts'
import { paragraphs } from './paragraphs.ts'

type Engine = InstanceType<typeof MarkdownIt>

/** A longer text is shown as it was typed: so much is laid out in some milliseconds. */
const MAX_LENGTH = 65_536
/** Blocks and emphasis in each other; a text that goes deeper is shown as it was typed. */
const MAX_DEPTH = 16
const MAX_LINKS = 50
const REL = 'nofollow ugc noopener'
/** Headings of a page itself are h1 and h2. */
const PAGE_LEVELS = 2
const LEVEL_MAX = 6

/**
 * CommonMark without HTML, images and definitions of links, which show nothing or what comes from
 * elsewhere. What is nested deeper than `maxNesting` is left out, so that is more than `MAX_DEPTH`.
 */
function createEngine(): Engine {
  const Library = load('markdown-it') as typeof MarkdownIt
  const made = new Library('commonmark', { html: false, maxNesting: MAX_DEPTH + 4 })
  made.disable(['image', 'reference', 'html_block', 'html_inline'])
  made.validateLink = (url) => /^(https?:\/\/|mailto:)/i.test(url)
  return made
}

/** A server that shows no Markdown does not load the library. */
const load = createRequire(import.meta.url)
let engine: Engine | undefined

/**
 * Markdown of strangers, which everybody may read, as HTML: every word of it is shown, headings
 * begin with h3, and at most 50 links lead to web and mail addresses.
 */
export function publicMarkdown(text: string): Html {
  if (text.length > MAX_LENGTH) return paragraphs(text)
  engine ??= createEngine()
  const tokens = engine.parse(text, {})
  if (depthOf(tokens) > MAX_DEPTH) return paragraphs(text)
  let links = 0
  const outline: string[] = []
  for (const token of tokens.flatMap((one) => [one, ...(one.children ?? [])])) {
    const { type, tag } = token
    if (type === 'link_open') links += 1
    if (tag === 'a') {
      token.hidden = links > MAX_LINKS
      if (type === 'link_open')
        token.attrs = [
          ['href', token.attrGet('href') ?? ''],
          ['rel', REL],
        ]
    } else if (type === 'heading_open' || type === 'heading_close') {
      token.tag = headingOf(tag, outline)
    } else if (type === 'fence') token.info = ''
    if (type === 'heading_open' || type === 'paragraph_open') token.attrSet('dir', 'auto')
  }
  const markup = raw(engine.renderer.render(tokens, engine.options, {}))
  return html`<div class="public-text" dir="auto">${markup}</div>`
}

/**
 * The heading that a heading of the text becomes: no level is left out, with which a text may begin.
 *
 * @param outline the headings of the text that it stands under, which this keeps
 */
function headingOf(tag: string, outline: string[]): string {
  while ((outline.at(-1) ?? '') >= tag) outline.pop()
  outline.push(tag)
  return `h${Math.min(PAGE_LEVELS + outline.length, LEVEL_MAX)}`
}

/** How deep the elements are in each other at most. */
function depthOf(tokens: readonly Token[]): number {
  let depth = 0
  let deepest = 0
  for (const { nesting, children } of tokens) {
    depth += nesting
    deepest = Math.max(deepest, depth + (children === null ? 0 : depthOf(children)))
  }
  return deepest
}
