import type { AppRecord } from '../../../marketplace/apps/app-record.ts'
import { SCREENSHOTS_MAX } from '../../../marketplace/apps/media/picture.ts'
import { appFace } from '../../kit/avatar.ts'
import { card } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { ownAppPath } from '../console-frame.ts'

/** The address of the page of an app's listing in the console. */
export function listingPath(appId: string): string {
  return `${ownAppPath(appId)}/Listing`
}

/** The pictures of an app, and the ways to change them. */
export function picturesView(app: Pick<AppRecord, 'id' | 'icon' | 'screenshots'>): Html {
  const path = listingPath(app.id)
  const iconAction = app.icon === null ? 'Add' : 'Change'
  return html`${card(
    'icon',
    'Icon',
    html`<div class="row">${appFace(app.id, app.icon?.id)}<span class="row-text">${
      app.icon === null ? 'A pattern drawn from the app ID.' : 'Shown in all lists.'
    }</span>
<a class="button small" href="${path}/Icon">${iconAction}<span class="visually-hidden"> the icon</span></a></div>`,
  )}
${card(
  'screenshots',
  'Screenshots',
  app.screenshots.length === 0
    ? html`<p class="muted">No screenshots yet. Show the app at work: up to ${SCREENSHOTS_MAX}.</p>`
    : html`<ul class="screenshots">${app.screenshots.map(
        ({ id, alt, small, width, height }) => html`<li><figure>
<img src="${small}" alt="" width="${width}" height="${height}" loading="lazy">
<figcaption><a href="${path}/Screenshots/${id}"><bdi>${alt}</bdi></a></figcaption></figure></li>
`,
      )}</ul>`,
  app.screenshots.length < SCREENSHOTS_MAX &&
    html`<a class="button small" href="${path}/Screenshots">Add a screenshot</a>`,
)}`
}
