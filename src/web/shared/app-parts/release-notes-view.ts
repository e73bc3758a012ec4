import type { PublicApp } from '../../../marketplace/apps/app-record.ts'
import { card } from '../page/blocks.ts'
import { type Html, html } from '../page/html.ts'
import { publicMarkdown } from '../page/public-markdown.ts'

/** What is new in the latest version; nothing where its developer has not said. */
export function releaseNotesCard({
  version,
  releaseNotes,
}: Pick<PublicApp, 'version' | 'releaseNotes'>): Html | false {
  if (releaseNotes.trim() === '') return false
  return card(
    'news',
    'What is new',
    html`<p class="row-note">Version <bdi>${version}</bdi></p>${publicMarkdown(releaseNotes)}`,
  )
}
