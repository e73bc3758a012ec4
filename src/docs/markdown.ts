import MarkdownIt, { type Token } from 'markdown-it'
import { type Html, raw } from '../web/shared/page/html.ts'

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
  const code = escapeHtml(tokens[index]?.content ?? '')
  return `<div class="code-box"><pre ${scrollable('Code', environment as Environment)}><code>${code}</code></pre></div>\n`
}

rules.table_open = (_tokens, _index, _options, environment) =>
  `<div class="table" ${scrollable('Table', environment as Environment)}><table>\n`
rules.table_close = () => '</table></div>\n'

rules.heading_open = (tokens, index) => {
  const tag = tokens[index]?.tag ?? ''
  return `<${tag} id="${escapeHtml(headingId(tokens, index))}">`
}

/** A box that scrolls sideways, by keyboard too. Each has a name of its own. */
function scrollable(kind: string, environment: Environment): string {
  environment.boxes += 1
  return `tabindex="0" role="region" aria-label="${kind} ${environment.boxes}"`
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

/** The same for one line, without the paragraph around it. */
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
