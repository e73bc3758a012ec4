/** A mail before it has an address. */
export type MailText = {
  subject: string
  /** Above the link, and below it. */
  paragraphs: readonly string[]
  link?: { label: string; address: string }
  closing?: readonly string[]
}

/** The bodies of a mail: plain text, and HTML that says the same. */
export function renderMail({ paragraphs, link, closing = [] }: MailText): {
  text: string
  html: string
} {
  const above = paragraphs.map(withoutDirections)
  const below = closing.map(withoutDirections)
  const lines = [...above, ...(link === undefined ? [] : [link.address]), ...below]
  const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`
  const anchor =
    link === undefined
      ? []
      : [`<p><a href="${escapeHtml(link.address)}">${escapeHtml(link.label)}</a></p>`]
  const body = [...above.map(paragraph), ...anchor, ...below.map(paragraph)]
  return {
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${body.join('\n')}\n</body></html>\n`,
  }
}

/** A character in a name can turn round the text after it; a page isolates names, a mail cannot. */
function withoutDirections(line: string): string {
  return line.replaceAll(/\p{Bidi_Control}/gu, '')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
