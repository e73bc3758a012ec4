import type { Role, Things } from './access-cast.ts'
import type { Entry } from './access-row.ts'

const ofMember = ({ partyOfA, memberOfA }: Things) =>
  `/v1/Account/Parties/${partyOfA}/Members/${memberOfA}`
const personOfA = ({ personOfDeveloperA }: Things) => `/v1/Developer/Members/${personOfDeveloperA}`
const requestsOfA = ({ partyOfA }: Things) => `/v1/Account/Parties/${partyOfA}/InstallRequests`
const requestOfA = (things: Things) => `${requestsOfA(things)}/${things.requestOfA}`
const ADMIN_NEEDED = { refusals: { 'member A': 403 } } as const
const OWN = '/v1/Account/Parties/:id/Members'
const REQUESTS = '/v1/Account/Parties/:id/InstallRequests'
const OF_DEVELOPER = '/v1/Operator/Developers/:id/Members'

/** The rows of routes about members of parties, what they ask for, and people of developers. */
export const MEMBER_ROWS: readonly [readonly Role[], readonly Entry[]][] = [
  [
    ['user A'],
    [
      [
        `GET ${OWN}`,
        { path: ({ partyOfA }) => `/v1/Account/Parties/${partyOfA}/Members`, ...ADMIN_NEEDED },
      ],
      [
        `PATCH ${OWN}/:userId`,
        { path: ofMember, body: () => ({ role: 'admin' }), ...ADMIN_NEEDED },
      ],
      [`DELETE ${OWN}/:userId`, { path: ofMember, ...ADMIN_NEEDED }],
    ],
  ],
  [
    ['user A', 'member A'],
    [
      [`GET ${REQUESTS}`, { path: requestsOfA }],
      [
        `POST ${REQUESTS}`,
        {
          path: requestsOfA,
          body: ({ otherAppId }) => ({ appId: otherAppId, purchaseOptionId: 'free' }),
        },
      ],
    ],
  ],
  [
    ['user A'],
    [
      [
        `POST ${REQUESTS}/:requestId/Accept`,
        { path: (things) => `${requestOfA(things)}/Accept`, ...ADMIN_NEEDED },
      ],
      [
        `POST ${REQUESTS}/:requestId/Decline`,
        {
          path: (things) => `${requestOfA(things)}/Decline`,
          body: () => ({ reason: 'No.' }),
          ...ADMIN_NEEDED,
        },
      ],
      [`DELETE ${REQUESTS}/:requestId`, { path: requestOfA }],
    ],
  ],
  [['developer A', 'developer B'], ['GET /v1/Developer/Members']],
  [
    ['developer A'],
    [
      ['PATCH /v1/Developer/Members/:userId', { path: personOfA, body: () => ({ role: 'owner' }) }],
      ['DELETE /v1/Developer/Members/:userId', { path: personOfA }],
    ],
  ],
  [
    ['operator'],
    [
      ['PATCH /v1/Operator/Memberships/:userId/:partyId', { body: () => ({ role: 'member' }) }],
      [
        `POST ${OF_DEVELOPER}`,
        { body: ({ otherUserId }) => ({ userId: otherUserId, role: 'member' }) },
      ],
      `GET ${OF_DEVELOPER}`,
      [`PATCH ${OF_DEVELOPER}/:userId`, { body: () => ({ role: 'member' }) }],
      `DELETE ${OF_DEVELOPER}/:userId`,
    ],
  ],
]
