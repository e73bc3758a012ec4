import type { App } from '../http/app-type.ts'
import { userOf } from '../http/guards/audience.ts'
import { OwnAccount } from './own-account.ts'
import { readOwnAccount } from './own-account-service.ts'

/** `GET /v1/Account`: who is signed in. */
export async function ownAccountRoutes(app: App) {
  app.get(
    '/v1/Account',
    {
      schema: {
        operationId: 'readOwnAccount',
        tags: ['Accounts'],
        summary: 'Read who is signed in and the accounts of that user',
        description: 'The user of the token, and the accounts that the user may act for.',
        response: { 200: OwnAccount },
      },
    },
    (request) => readOwnAccount(app.deps, userOf(request).userId),
  )
}
