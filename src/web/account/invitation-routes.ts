import { UuidText } from '../../base/values/shapes.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { clientAddress } from '../../http/client-address.ts'
import { answerInvitation } from '../../identity/people/waiting-invitations-service.ts'
import { redirectDone } from '../requests/answers.ts'
import { visitorOf } from '../requests/visitor.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { WAITING_PATH } from './invitations-view.ts'

/** What a visitor answers to an invitation that waits. */
export async function waitingInvitationRoutes(app: App) {
  // A sign-in that interrupted the form leads back here.
  app.get(WAITING_PATH, { schema: { hide: true } }, (_request, reply) =>
    reply.redirect('/Account', 303),
  )

  const options = { config: { actsOnce: true }, schema: { hide: true, body: Fields } }
  app.post(WAITING_PATH, options, async (request, reply) => {
    const id = UuidText.safeParse(request.body.get('invitationId'))
    if (!id.success) throw new AppError('not_found')
    const accepts = request.body.get('answer') === 'accept'
    const answer = { userId: visitorOf(request).id, id: id.data, accepts }
    await answerInvitation(app.deps, answer, clientAddress(request))
    const text = `You have ${accepts ? 'accepted' : 'declined'} the invitation.`
    return redirectDone(request, reply, '/Account', text)
  })
}
