import { shownEmail } from '../../base/values/email.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { changeOwnUser, readOwnUser } from '../../identity/accounts/own-user-service.ts'
import { readPendingEmailChange } from '../../identity/people/pending-email-change-service.ts'
import { listWaitingInvitations } from '../../identity/people/waiting-invitations-service.ts'
import { countRequestsToDecide } from '../../marketplace/installations/requests/requests-shown-service.ts'
import { recentReportsToUser } from '../../marketplace/leaks/recent-reports-service.ts'
import { emptyState } from '../kit/empty-state.ts'
import { framePage } from '../kit/frame.ts'
import { formPage } from '../requests/form-page.ts'
import { takeNotice } from '../requests/notices.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../requests/visitor.ts'
import { card } from '../shared/page/blocks.ts'
import { html } from '../shared/page/html.ts'
import { reportedSecrets } from '../shared/status/reported-secrets-view.ts'
import { requestsNotice } from '../shared/status/requests-notice.ts'
import { ownAccounts } from './account-page.ts'
import { ACCOUNT_PARTS, accountParts } from './account-parts.ts'
import { readAccountSuspensions } from './account-suspensions-service.ts'
import { waitingInvitations } from './invitations-view.ts'
import { pendingEmail } from './pending-email-view.ts'

/** Who the visitor is, and which accounts the visitor belongs to. */
export async function accountPageRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: '/Account/Name',
    shownAt: [ACCOUNT_PARTS.Profile],
    place: { console: 'account' },
    fields: { name: { label: 'Name', autocomplete: 'name' } },
    refused: ['unprocessable'],
    async page(request) {
      const { id, name, signInName: email } = visitorOf(request)
      const [reports, requests, invitations, pending] = await Promise.all([
        recentReportsToUser(deps, id),
        countRequestsToDecide(deps, id, chosenAccountId(request)),
        listWaitingInvitations(deps, id),
        readPendingEmailChange(deps, { id, email }),
      ])
      return {
        title: 'Profile',
        aside: accountParts('Profile', requests),
        above: (csrfToken) => html`${reportedSecrets(reports)}${requestsNotice(requests)}
${waitingInvitations(invitations, csrfToken)}`,
        button: 'Change name',
        stored: new Map([['name', name]]),
        below: () =>
          card(
            'email',
            'Email',
            html`<p><bdi>${shownEmail(email)}</bdi></p>
${pendingEmail(pending)}
<p class="actions"><a class="button" href="/Account/Email">Change email</a></p>`,
          ),
      }
    },
    async submit(request, typed) {
      const { userId, actor } = visitorActor(request)
      const change = { name: typed.get('name') ?? '' }
      const { name } = await changeOwnUser(deps, userId, change, actor)
      const isSame = name === visitorOf(request).name
      const text = isSame ? 'Your name is unchanged.' : 'Your name was changed.'
      return { path: ACCOUNT_PARTS.Profile, text }
    },
  })

  app.get(ACCOUNT_PARTS.Accounts, { schema: { hide: true } }, async (request, reply) => {
    const { id: userId, operator, support, worksForDevelopers } = visitorOf(request)
    const [{ parties }, suspensions, requests] = await Promise.all([
      readOwnUser(deps, userId),
      readAccountSuspensions(deps, userId),
      countRequestsToDecide(deps, userId, chosenAccountId(request)),
    ])
    // A user who runs the marketplace, or works for a developer, needs no account.
    const needsOne = !operator && !support && !worksForDevelopers
    const nothing = needsOne
      ? 'You do not belong to an account yet. Ask the operator of this marketplace to add you to your company’s account.'
      : 'You do not belong to an account. You do not need one for your work in the console.'
    const visit = { ...visitorShell(request, reply), message: takeNotice(request, reply)?.text }
    return sendPage(
      reply,
      framePage({ console: 'account' }, visit, {
        title: 'Accounts',
        aside: accountParts('Accounts', requests),
        content:
          parties.length === 0 ? emptyState('company', nothing) : ownAccounts(parties, suspensions),
      }),
    )
  })
}
