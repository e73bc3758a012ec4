import type { PublicApp } from '../../../marketplace/apps/app-record.ts'
import { type Html, html } from '../page/html.ts'

/** The screenshots of an app in a row that scrolls; each leads to itself in full. Nothing without any. */
export function screenshotsView({ screenshots }: Pick<PublicApp, 'screenshots'>): Html | false {
  return (
    screenshots.length > 0 &&
    html`<section class="card" aria-labelledby="screenshots">
<h2 id="screenshots">Screenshots</h2>
<ul class="screenshots">${screenshots.map(
      ({ alt, caption, width, height, small, full }) => html`<li><figure>
<a href="${full}"><img src="${small}" srcset="${small} 640w, ${full} 1600w" sizes="20rem" alt="${alt}"
width="${width}" height="${height}" loading="lazy"></a>
${caption !== '' && html`<figcaption dir="auto">${caption}</figcaption>`}</figure></li>
`,
    )}</ul></section>
`
  )
}
