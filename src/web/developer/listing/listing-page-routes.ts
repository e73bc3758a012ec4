import { AppPath } from '../../../base/values/app-path.ts'
import { parseInput } from '../../../base/values/field-errors.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { AppListing } from '../../../marketplace/apps/listing/app-listing.ts'
import {
  readAppListing,
  replaceAppListing,
} from '../../../marketplace/apps/listing/app-listing-service.ts'
import { readOwnApp } from '../../../marketplace/apps/read-apps-service.ts'
import { formPage } from '../../requests/form-page.ts'
import { html } from '../../shared/page/html.ts'
import { APP_NOTICES, ownAppPath } from '../console-frame.ts'
import { fieldsOfListing, LISTING_FIELDS, listingOfFields } from './listing-fields.ts'
import { listingPath, picturesView } from './pictures-view.ts'

/** Name of the field with the revision of the listing that the form was made of. */
const SEEN_FIELD = 'seen'
const CHANGED_MEANWHILE =
  'Somebody else has changed the listing since you opened this page. Your text is kept. Send the form again to replace the other listing.'

/** What a developer says about an app beside its definition: texts, and the way to its pictures. */
export async function listingPageRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: '/Developer/Apps/:appId/Listing',
    params: AppPath,
    place: { console: 'developer', section: 'own-apps' },
    fields: LISTING_FIELDS,
    config: { formKind: 'wizard' },
    bodyLimit: 262_144,
    refused: ['unprocessable', 'precondition_failed'],
    async page(request, _, _reply, { appId }) {
      const { developerId } = developerOf(request)
      const { app: own } = await readOwnApp(deps, developerId, appId)
      const { listing, revision } = await readAppListing(deps, own.id, { developerId })
      return {
        title: `Listing of ${own.name}`,
        heading: html`Listing of <bdi>${own.name}</bdi>`,
        lead: 'What people read and see before they install the app. Changes are shown at once and need no new version.',
        back: { href: ownAppPath(own.id), label: own.name },
        above: picturesView(own),
        intro: html`<h2>Texts</h2>`,
        hidden: { [SEEN_FIELD]: String(revision) },
        stored: fieldsOfListing(listing),
        button: 'Save',
      }
    },
    async submit(request, typed, { appId }) {
      const author = developerActor(request)
      const { developerId } = author
      const { app: own } = await readOwnApp(deps, developerId, appId)
      const { listing: before } = await readAppListing(deps, own.id, { developerId })
      const listing = parseInput(AppListing, listingOfFields(typed, before))
      const seen = Number(typed.get(SEEN_FIELD))
      try {
        await replaceAppListing(deps, author, own.id, listing, [seen])
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'precondition_failed')) throw error
        throw new AppError('precondition_failed', { detail: CHANGED_MEANWHILE })
      }
      return { path: listingPath(own.id), text: APP_NOTICES.listing(own.name) }
    },
  })
}
