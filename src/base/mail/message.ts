import { escapeHtml } from '../values/escape-html.ts'

/** A mail before it has an address. */
export type MailText = {
  subject: string
  /** Above the link, and below it. */
  paragraphs: readonly string[]
  link?: MailLink
  /** Links with a sentence each, below the paragraphs. */
  list?: readonly MailLink[]
  closing?: readonly string[]
}

type MailLink = { label: string; address: string }

/** The bodies of a mail: plain text, and HTML that says the same. */
export function renderMail({ paragraphs, link, list = [], closing = [] }: MailText): {
  text: string
  html: string
} {
  const above = paragraphs.map(withoutDirections)
  const below = closing.map(withoutDirections)
  const items = list.map(({ label, address }) => ({ label: withoutDirections(label), address }))
  const listed = items.map(({ label, address }) => `${label}\n${address}`)
  const lines = [...above, ...listed, ...(link === undefined ? [] : [link.address]), ...below]
  const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`
  const anchor = link === undefined ? [] : [`<p>${anchorOf(link)}</p>`]
  const ul =
    items.length === 0 ? [] : ['<ul>', ...items.map((one) => `<li>${anchorOf(one)}</li>`), '</ul>']
  const body = [...above.map(paragraph), ...ul, ...anchor, ...below.map(paragraph)]
  return {
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${body.join('\n')}\n</body></html>\n`,
  }
}

function anchorOf({ label, address }: MailLink): string {
  return `<a href="${escapeHtml(address)}">${escapeHtml(label)}</a>`
}

/** A character in a name can turn round the text after it; a page isolates names, a mail cannot. */
function withoutDirections(line: string): string {
  return line.replaceAll(/\p{Bidi_Control}/gu, '')
}
