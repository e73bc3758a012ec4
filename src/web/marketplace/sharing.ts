import { type Html, html } from '../shared/page/html.ts'
import { excerpt } from '../shared/page/paragraphs.ts'

type Shared = {
  title: string
  /** Of several paragraphs perhaps, of which the beginning is told. */
  description: string
  /** Its address without a query. */
  url: string
}

/** What search engines and links elsewhere say of a page that everybody may see. */
export function sharing({ title, description, url }: Shared): Html {
  const said = excerpt(description)
  return html`<meta name="description" content="${said}">
    <link rel="canonical" href="${url}">
    <meta property="og:type" content="website">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${said}">
    <meta property="og:url" content="${url}">`
}
