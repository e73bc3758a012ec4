import { UuidText } from '../../base/values/shapes.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { clientAddress } from '../../http/client-address.ts'
import { answerInvitation } from '../../identity/people/waiting-invitations-service.ts'
import { buttonForm } from '../requests/form-work.ts'
import { visitorOf } from '../requests/visitor.ts'
import { WAITING_PATH } from './invitations-view.ts'

/** What a visitor answers to an invitation that waits. */
export async function waitingInvitationRoutes(app: App) {
  buttonForm(app, {
    path: WAITING_PATH,
    page: () => '/Account',
    async submit(request, typed) {
      const id = UuidText.safeParse(typed.get('invitationId'))
      if (!id.success) throw new AppError('not_found')
      const accepts = typed.get('answer') === 'accept'
      const answer = { userId: visitorOf(request).id, id: id.data, accepts }
      await answerInvitation(app.deps, answer, clientAddress(request))
      const text = `You have ${accepts ? 'accepted' : 'declined'} the invitation.`
      return { path: '/Account', text }
    },
  })
}
