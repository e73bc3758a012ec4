import { type Html, html } from '../page/html.ts'
import { paragraphs } from '../page/paragraphs.ts'
import { publicMarkdown } from '../page/public-markdown.ts'

/** Terms that a page shows: Markdown or plain text. */
export type TermsText = { mediaType: string; text: string }

/** The text of terms, laid out where it is Markdown. */
export function termsView({ mediaType, text }: TermsText): Html {
  const words = text.replace(/^\ufeff/, '')
  return mediaType === 'text/markdown' ? publicMarkdown(words) : paragraphs(words)
}

/** The same in a box that scrolls, also by keyboard; on paper it is whole. */
export function termsBox(text: TermsText): Html {
  return html`<div class="text-box terms" tabindex="0" role="region" aria-label="Terms and conditions">${termsView(text)}</div>`
}
