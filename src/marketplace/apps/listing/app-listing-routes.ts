import { AppPath } from '../../../base/values/app-path.ts'
import type { App } from '../../../http/app-type.ts'
import { expectedRevisions, setRevision } from '../../../http/revision-etag.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { AppListing, AppListingRecord } from './app-listing.ts'
import { readAppListing, replaceAppListing } from './app-listing-service.ts'

const PATH = '/v1/Developer/Apps/:appId/Listing'
const tags = ['Apps']

/** What a developer says about an app beside its definition: it needs no new version. */
export async function appListingRoutes(app: App) {
  app.get(
    PATH,
    {
      schema: {
        operationId: 'readAppListing',
        tags,
        summary: 'Read the listing of one of your apps',
        description:
          'What stands on the page of the app beside its definition. Its `ETag` guards a `PUT` ' +
          'against changes of somebody else.',
        params: AppPath,
        response: { 200: AppListingRecord },
        answerHeaders: ['ETag'],
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { appId } = request.params
      const { listing, revision } = await readAppListing(app.deps, appId, { developerId })
      setRevision(reply, revision)
      return listing
    },
  )

  app.put(
    PATH,
    {
      schema: {
        operationId: 'replaceAppListing',
        tags,
        summary: 'Replace the listing of an app',
        description:
          'Takes the whole listing, which is seen at once; no new version is needed. `If-Match` with ' +
          'the ETag of the listing keeps you from overwriting the change of somebody else.',
        params: AppPath,
        body: AppListing,
        response: { 200: AppListingRecord },
        answerHeaders: ['ETag'],
        problems: ['precondition_failed'],
      },
    },
    async (request, reply) => {
      const { appId } = request.params
      const expected = expectedRevisions(request)
      const { listing, revision } = await replaceAppListing(
        app.deps,
        developerActor(request),
        appId,
        request.body,
        expected,
      )
      setRevision(reply, revision)
      return listing
    },
  )
}
