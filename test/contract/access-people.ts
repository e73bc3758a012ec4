import { randomUUID } from 'node:crypto'
import type { Entry } from './access-row.ts'

const newPerson = () => ({ email: `${randomUUID()}@example.com`, name: 'New' })
/** Whoever has a link uses it; one that there is not is refused with 410. */
const withUnknownLink = () => ({ token: 'unknown', password: randomUUID() })

/** Rows of invitations and new passwords, by whom they let in. */
export const PEOPLE_ROWS = {
  /** A token is not needed; one of another kind is refused. */
  usersAndStrangers: [['POST /v1/Account/Invitations/Accept', { body: withUnknownLink }]],
  everybody: [
    ['POST /v1/Account/PasswordReset', { body: () => ({ email: 'nobody@example.com' }) }],
    ['POST /v1/Account/EmailChange/Confirm', { body: () => ({ token: 'unknown' }) }],
    ['POST /v1/Account/PasswordReset/Complete', { body: withUnknownLink }],
  ],
  developers: [
    ['POST /v1/Developer/Members', { body: newPerson }],
    'GET /v1/Developer/Invitations',
  ],
  owningDeveloper: [
    [
      'DELETE /v1/Developer/Invitations/:invitationId',
      {
        path: ({ invitationToDeveloperA }) => `/v1/Developer/Invitations/${invitationToDeveloperA}`,
      },
    ],
  ],
  admins: [
    [
      'POST /v1/Account/Parties/:id/Invitations',
      {
        path: ({ partyOfA }) => `/v1/Account/Parties/${partyOfA}/Invitations`,
        body: newPerson,
        refusals: { 'member A': 403 },
      },
    ],
    [
      'GET /v1/Account/Parties/:id/Invitations',
      {
        path: ({ partyOfA }) => `/v1/Account/Parties/${partyOfA}/Invitations`,
        refusals: { 'member A': 403 },
      },
    ],
    [
      'DELETE /v1/Account/Parties/:id/Invitations/:invitationId',
      {
        path: ({ partyOfA, invitationToPartyA }) =>
          `/v1/Account/Parties/${partyOfA}/Invitations/${invitationToPartyA}`,
        refusals: { 'member A': 403 },
      },
    ],
  ],
  operators: [
    'POST /v1/Operator/Users/:id/PasswordReset',
    ['POST /v1/Operator/Invitations', { body: newPerson }],
    'GET /v1/Operator/Invitations',
    'DELETE /v1/Operator/Invitations/:id',
  ],
} satisfies Record<string, Entry[]>
