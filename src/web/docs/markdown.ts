import MarkdownIt, { type Token } from 'markdown-it'
import { codeMarkup, languageLabel } from '../shared/page/code-colours.ts'
import { codeBox } from '../shared/page/code-view.ts'
import { type Html, raw, render } from '../shared/page/html.ts'

/** Where a piece of code in a text leads, if anywhere: `GET /v1/Products`, `not_found`. */
export type LinkOf = (code: string) => string | undefined

const nowhere: LinkOf = () => undefined

/** What the renderer knows of one text: `boxes` counts its code blocks and tables. */
type Environment = { linkOf: LinkOf; boxes: number }

/** HTML in a text stays text, and links lead to web addresses and paths only. */
const engine = new MarkdownIt({ html: false, linkify: false, typographer: false })
const { escapeHtml } = engine.utils
const { rules } = engine.renderer

rules.code_inline = (tokens, index, _options, environment) => {
  const code = tokens[index]?.content ?? ''
  const markup = `<code>${escapeHtml(code)}</code>`
  const href = (environment as Environment).linkOf(code)
  return href === undefined ? markup : `<a href="${escapeHtml(href)}">${markup}</a>`
}

rules.fence = (tokens, index, _options, environment) => {
  const { info = '', content = '' } = tokens[index] ?? {}
  const name = boxName('Code', environment as Environment)
  return render(codeBox(languageLabel(info), name, codeMarkup(info, content)))
}

rules.table_open = (_tokens, _index, _options, environment) =>
  `<div class="table" tabindex="0" role="region" aria-label="${boxName('Table', environment as Environment)}"><table>\n`
rules.table_close = () => '</table></div>\n'

rules.heading_open = (tokens, index) => {
  const tag = tokens[index]?.tag ?? ''
  return `<${tag} id="${escapeHtml(headingId(tokens, index))}">`
}

/** Boxes scroll sideways, by keyboard too. Each has a name of its own. */
function boxName(kind: string, environment: Environment): string {
  environment.boxes += 1
  return `${kind} ${environment.boxes}`
}

/** The anchor that GitHub gives to a heading. */
function headingId(tokens: readonly Token[], index: number): string {
  const text = tokens[index + 1]?.content ?? ''
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** Markdown (CommonMark with tables) as HTML. */
export function markdown(text: string, linkOf: LinkOf = nowhere): Html {
  return raw(engine.render(text, { linkOf, boxes: 0 } satisfies Environment))
}

/** One line of Markdown as HTML, without a paragraph around it. */
export function inline(text: string, linkOf: LinkOf = nowhere): Html {
  return raw(engine.renderInline(text, { linkOf, boxes: 0 } satisfies Environment))
}

/** The headings of the second level, with their anchors. */
export function headingsOf(text: string): { id: string; label: string }[] {
  const tokens = engine.parse(text, {})
  return tokens.flatMap(({ type, tag }, index) =>
    type === 'heading_open' && tag === 'h2'
      ? [{ id: headingId(tokens, index), label: tokens[index + 1]?.content ?? '' }]
      : [],
  )
}

/** A part of a text under a heading of its own; what is before the first has no anchor. */
export type TextSection = { id: string | undefined; heading: string; paragraphs: string[] }

/** The plain text of a guide by its headings: a paragraph, a row of a table or a block of code each. */
export function sectionsOf(text: string): TextSection[] {
  const tokens = engine.parse(text, {})
  const sections: TextSection[] = [{ id: undefined, heading: '', paragraphs: [] }]
  let row: string[] | undefined
  tokens.forEach((token, index) => {
    const section = sections.at(-1)
    const isOfHeading = tokens[index - 1]?.type === 'heading_open'
    if (token.type === 'heading_open') {
      const heading = plainText(tokens[index + 1])
      if (token.tag === 'h1' && section !== undefined) section.heading = heading
      else sections.push({ id: headingId(tokens, index), heading, paragraphs: [] })
    } else if (token.type === 'tr_open') {
      row = []
    } else if (token.type === 'tr_close') {
      if (row !== undefined) section?.paragraphs.push(row.join(' · '))
      row = undefined
    } else if (token.type === 'fence') {
      section?.paragraphs.push(token.content)
    } else if (token.type === 'inline' && !isOfHeading) {
      const words = plainText(token)
      if (row === undefined) section?.paragraphs.push(words)
      else row.push(words)
    }
  })
  return sections
}

function plainText(token: Token | undefined): string {
  const parts = (token?.children ?? []).map(({ type, content }) =>
    type === 'softbreak' || type === 'hardbreak' ? ' ' : content,
  )
  return parts.join('')
}
