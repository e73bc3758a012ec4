import { DeveloperPath, PartyPath } from '../../base/values/operator-paths.ts'
import type { App } from '../../http/app-type.ts'
import { DeveloperRecord, PartyRecord } from '../../identity/accounts/operator-records.ts'
import { operatorActor } from '../../identity/guards/actor.ts'
import { CLOSING, closeDeveloper, closeParty } from './close-service.ts'

/**
 * How operators close parties and developers: users with the role operator only, with a recent
 * second factor if they have one, as for a suspension (`operator-suspension-routes.ts`).
 */
export async function closeRoutes(app: App) {
  app.post(
    '/v1/Operator/Parties/:id/Close',
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'closeParty',
        tags: ['Operator'],
        summary: 'Close a party for good',
        description:
          `${CLOSING.Parties} For good: a closed one cannot be resumed. While it has apps installed ` +
          'the answer is `conflict`; uninstall them first. Closing it again changes nothing. The ' +
          'sandbox of a developer closes with its developer.',
        params: PartyPath,
        response: { 200: PartyRecord },
        problems: ['conflict'],
      },
    },
    (request) => closeParty(app.deps, Number(request.params.id), operatorActor(request)),
  )

  app.post(
    '/v1/Operator/Developers/:id/Close',
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'closeDeveloper',
        tags: ['Operator'],
        summary: 'Close a developer for good',
        description:
          `${CLOSING.Developers} For good: a closed one cannot be resumed. While accounts have its ` +
          'apps installed the answer is `conflict`; uninstall them first. Closing it again changes ' +
          'nothing.',
        params: DeveloperPath,
        response: { 200: DeveloperRecord },
        problems: ['conflict'],
      },
    },
    (request) => closeDeveloper(app.deps, request.params.id, operatorActor(request)),
  )
}
