import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendStreamedFile } from '../../http/bodies/streamed-file.ts'
import { clientAddress } from '../../http/client-address.ts'
import { passwordsOff } from '../auth/passwords-off.ts'
import { userActor } from '../guards/actor.ts'
import { checkAgain, userOf } from '../guards/audience.ts'
import { exportOwnData } from './export-own-data-service.ts'
import { OWN_DATA_FILE, OwnData } from './own-data.ts'
import { OwnUser } from './own-user.ts'
import { OwnRemoval, OwnUserChange } from './own-user-requests.ts'
import { changeOwnUser, readOwnUser } from './own-user-service.ts'
import { removeOneself } from './remove-user-service.ts'

const tags = ['Accounts']

/** `/v1/Account`: the user who is signed in. */
export async function ownUserRoutes(app: App) {
  app.get(
    '/v1/Account',
    {
      schema: {
        operationId: 'readOwnUser',
        tags,
        summary: 'Read who is signed in and the accounts of that user',
        description: 'The user of the token, and the accounts that the user may act for.',
        response: { 200: OwnUser },
      },
    },
    (request) => readOwnUser(app.deps, userOf(request).userId),
  )

  app.patch(
    '/v1/Account',
    {
      schema: {
        operationId: 'changeOwnUser',
        tags,
        summary: 'Change your own name',
        description: 'The new name shows from the next request on.',
        body: OwnUserChange,
        response: { 200: OwnUser },
      },
    },
    (request) => {
      const { userId, actor } = userActor(request)
      return changeOwnUser(app.deps, userId, request.body, actor)
    },
  )

  app.get(
    '/v1/Account/Export',
    {
      schema: {
        operationId: 'exportOwnData',
        tags,
        summary: 'Export all data about yourself',
        description:
          'One JSON document, sent while it is read: if the connection drops, discard it. ' +
          'Without passwords and secrets. Of entries of the audit trail by others it tells ' +
          'neither who nor from where.',
        answerHeaders: ['Content-Disposition'],
        response: { 200: OwnData },
      },
    },
    async (request, reply) => {
      const { userId } = userOf(request)
      return sendStreamedFile(reply, {
        ...OWN_DATA_FILE,
        userId,
        open: () => exportOwnData(app.deps, userId, () => checkAgain(request)),
      })
    },
  )

  app.post(
    '/v1/Account/Remove',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'deleteOwnUser',
        tags,
        summary: 'Remove yourself for good',
        description:
          'Your email and name are replaced, your memberships, sessions and tokens end. The ' +
          'audit trail keeps your id. Refused: the last operator who can sign in ' +
          '(`operator_needed`); and (`conflict`) the last admin of an account with other members ' +
          'or installed apps, and the last owner of a developer who can sign in.',
        body: OwnRemoval,
        response: { 204: z.null() },
        problems: ['unprocessable', 'password_login_off', 'operator_needed', 'conflict'],
      },
    },
    async (request, reply) => {
      if (!app.deps.config.passwordLogin) throw passwordsOff()
      await removeOneself(app.deps, userOf(request).userId, request.body, clientAddress(request))
      return reply.code(204).send(null)
    },
  )
}
