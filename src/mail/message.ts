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
  const lines = [...paragraphs, ...(link === undefined ? [] : [link.address]), ...closing]
  const paragraph = (line: string) => `<p>${escapeHtml(line)}</p>`
  const anchor =
    link === undefined
      ? []
      : [`<p><a href="${escapeHtml(link.address)}">${escapeHtml(link.label)}</a></p>`]
  const body = [...paragraphs.map(paragraph), ...anchor, ...closing.map(paragraph)]
  return {
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="en"><body>\n${body.join('\n')}\n</body></html>\n`,
  }
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
