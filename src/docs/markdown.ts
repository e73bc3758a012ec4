import { type Html, html } from '../web/shared/html.ts'

/** Where a piece of code in a text leads, if anywhere. */
export type LinkOf = (code: string) => string | undefined

const nowhere: LinkOf = () => undefined

/**
 * Shows the little Markdown that descriptions use: paragraphs, `-` and `1.` lists, `code`,
 * **strong** and [links](/docs). Everything else, HTML above all, is text.
 */
export function markdown(text: string, linkOf: LinkOf = nowhere): Html {
  return html`${text.split(/\n\s*\n/).flatMap((block) => blocks(block, linkOf))}`
}

const BULLET = /^\s*[-*] +/
const NUMBER = /^\s*\d+\. +/

/** Lines between two blank ones: text may run into a list. */
function blocks(text: string, linkOf: LinkOf): Html[] {
  const runs: { marker: RegExp | undefined; items: string[] }[] = []
  for (const line of text.split('\n')) {
    const marker = [BULLET, NUMBER].find((pattern) => pattern.test(line))
    const last = runs.at(-1)
    const words = line.replace(marker ?? '', '').trim()
    if (marker !== undefined && last?.marker === marker) last.items.push(words)
    else if (marker !== undefined || last === undefined) runs.push({ marker, items: [words] })
    else last.items.push(`${last.items.pop()} ${words}`.trim())
  }
  return runs.map(({ marker, items }) => {
    if (marker === undefined)
      return items.join('') !== '' ? html`<p>${inline(items.join(' '), linkOf)}</p>` : html``
    const entries = items.map((item) => html`<li>${inline(item, linkOf)}</li>`)
    return marker === BULLET ? html`<ul>${entries}</ul>` : html`<ol>${entries}</ol>`
  })
}

/** The same for one line of text, without the paragraph around it. */
export function inline(text: string, linkOf: LinkOf = nowhere): Html {
  const parts = text.split(/`([^`]+)`/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? codeLink(part, linkOf) : withoutCode(part)))}`
}

/** **Strong** and [links](/docs). */
function withoutCode(text: string): Html {
  const parts = text.split(/\*\*([^*]+)\*\*/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<strong>${part}</strong>` : links(part)))}`
}

function links(text: string): Html {
  const parts: (Html | string)[] = []
  let end = 0
  for (const match of text.matchAll(/\[([^\][]+)\]\(([^()\s]+)\)/g)) {
    const [whole, label, target] = match
    parts.push(text.slice(end, match.index))
    parts.push(label && target && isSafe(target) ? html`<a href="${target}">${label}</a>` : whole)
    end = match.index + whole.length
  }
  return html`${parts}${text.slice(end)}`
}

/** A piece of code, as a link where it leads somewhere. */
export function codeLink(code: string, linkOf: LinkOf): Html {
  const href = linkOf(code)
  return href === undefined
    ? html`<code>${code}</code>`
    : html`<a href="${href}"><code>${code}</code></a>`
}

/** Web addresses and paths of this site; `javascript:` and its kind stay text. */
function isSafe(target: string): boolean {
  return /^(https?:\/\/|\/(?![/\\])|#)/i.test(target)
}
