import { type Html, html } from './html.ts'

/** A text of several paragraphs; lone line breaks stay. */
export function paragraphs(text: string): Html {
  return html`<div class="prose" dir="auto">${text
    .split(/(?:\r?\n){2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => html`<p dir="auto">${part}</p>`)}</div>`
}

const EXCERPT_MAX_LENGTH = 150

/** The beginning of a text, at a word, for a card. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const letters = [...line]
  if (letters.length <= EXCERPT_MAX_LENGTH) return line
  const cut = letters.slice(0, EXCERPT_MAX_LENGTH).join('')
  const space = cut.lastIndexOf(' ')
  return `${space > EXCERPT_MAX_LENGTH / 2 ? cut.slice(0, space) : cut}…`
}
