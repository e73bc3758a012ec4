import { PartyPath } from '../../../base/values/operator-paths.ts'
import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { namesOfMembers } from '../../../identity/accounts/account-names-service.ts'
import { removeMembership } from '../../../identity/accounts/members/memberships-service.ts'
import { OPERATOR_TABS } from '../../kit/frame.ts'
import { bulkPage } from '../../requests/bulk-page.ts'
import { visitingOperator } from '../../requests/visitor.ts'

/** The page on which operators take several users from an account at once. */
export async function operatorBulkRemovalPages(app: App) {
  const { deps } = app
  bulkPage(app, {
    path: '/Operator/Parties/:id/Members/Remove',
    params: PartyPath,
    place: { console: 'operator', tab: 'Users', asks: true },
    config: { recentFactor: true },
    verb: 'Remove',
    done: 'removed from the account',
    nouns: ['user', 'users'],
    kind: 'danger',
    consequences: [
      'The users can no longer open or change the apps of the account.',
      'Tokens that apps received for the users are refused immediately.',
    ],
    list: ({ id }) => ({ href: `${OPERATOR_TABS.Users}?partyId=${id}`, label: 'Users' }),
    id: UuidText,
    find: (_request, ids, { id }) => namesOfMembers(deps, Number(id), ids),
    begin(request, _typed, { id }) {
      const actor = visitingOperator(request)
      return (userId) => removeMembership(deps, { userId, partyId: Number(id) }, actor)
    },
  })
}
