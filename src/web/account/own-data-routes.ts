import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendStreamedFile } from '../../http/bodies/streamed-file.ts'
import { clientAddress } from '../../http/client-address.ts'
import { sendPage } from '../../http/send-page.ts'
import { exportOwnData } from '../../identity/accounts/export-own-data-service.ts'
import { OWN_DATA_FILE } from '../../identity/accounts/own-data.ts'
import { removeOneself } from '../../identity/accounts/remove-user-service.ts'
import { passwordsOff } from '../../identity/auth/passwords-off.ts'
import { providerOfUser } from '../../identity/single-sign-on/identity-service.ts'
import { readAttempt, redirectDone, refuse } from '../requests/kept-forms.ts'
import { clearSessionCookie } from '../requests/pages.ts'
import { recogniseAgain, visitorOf, visitorShell } from '../requests/visitor.ts'
import { refusalOf } from '../shared/forms/refusal.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { removeOneselfPage } from './own-data-page.ts'

const REMOVED = 'You have removed yourself. Your name and email were replaced.'

/** The visitor's own data, and the visitor's own removal. */
export async function ownDataRoutes(app: App) {
  const { passwordLogin: hasPassword } = app.deps.config

  app.get('/Account/Export', { schema: { hide: true } }, (request, reply) => {
    const { id: userId } = visitorOf(request)
    return sendStreamedFile(reply, {
      ...OWN_DATA_FILE,
      userId,
      open: () => exportOwnData(app.deps, userId, () => recogniseAgain(request)),
    })
  })

  app.get('/Account/Remove', { schema: { hide: true } }, async (request, reply) => {
    const { problems = [] } = readAttempt(request, reply) ?? {}
    const provider = await providerOfUser(app.deps, visitorOf(request).id)
    const shell = visitorShell(request, reply)
    return sendPage(reply, removeOneselfPage({ ...shell, problems, hasPassword, provider }))
  })

  app.post(
    '/Account/Remove',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      config: { actsOnce: true },
      schema: { hide: true, body: Fields },
    },
    async (request, reply) => {
      if (!hasPassword) throw passwordsOff()
      const password = request.body.get('currentPassword') ?? ''
      try {
        await removeOneself(app.deps, visitorOf(request).id, { password }, clientAddress(request))
      } catch (error) {
        const refusal = refusalOf(
          error,
          ['unprocessable', 'operator_needed', 'conflict', 'too_many_requests'],
          ({ code, message }) => [
            { field: code === 'unprocessable' ? 'currentPassword' : undefined, text: message },
          ],
        )
        return refuse(request, reply, refusal)
      }
      return redirectDone(request, clearSessionCookie(request, reply), '/signed-out', REMOVED)
    },
  )
}
