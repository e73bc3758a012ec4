import type { Things } from './access-cast.ts'

const FACTOR = 'POST /v1/Account/SecondFactor'
const code = { body: () => ({ otp: '000000' }) }
/** The operator alone has a second factor, and a wrong code of it is refused. */
const codeOfFactor = {
  ...code,
  answers: { operator: { status: 401, code: 'invalid_credentials' } },
} as const

/** What every user may do with the own sign-in. Who may ask is refused for what the body says. */
export const OWN_SIGN_IN = [
  'GET /v1/Account/Export',
  ['PATCH /v1/Account', { body: () => ({ name: 'Somebody' }) }],
  // A wrong password is refused, whoever gives it.
  ['POST /v1/Account/Remove', { body: () => ({ password: 'wrong' }) }],
  [
    'POST /v1/Account/EmailChange',
    { body: () => ({ email: 'new@example.com', password: 'wrong' }) },
  ],
  'GET /v1/Account/SecondFactor',
  'GET /v1/Account/Notifications',
  ['POST /v1/Account/Notifications/Read', { body: () => ({ upTo: 1 }) }],
  'GET /v1/Account/Sessions',
  'DELETE /v1/Account/Sessions',
  [
    FACTOR,
    {
      body: () => ({ password: 'wrong' }),
      answer: { status: 422, code: 'unprocessable' },
    },
  ],
  [`${FACTOR}/Confirm`, code],
  [`${FACTOR}/RecoveryCodes`, codeOfFactor],
  [`${FACTOR}/Remove`, codeOfFactor],
] satisfies (string | [string, object])[]

/** Whose browser it is. */
export const OWN_SESSION = [
  [
    'DELETE /v1/Account/Sessions/:id',
    { path: ({ sessionOfA }: Things) => `/v1/Account/Sessions/${sessionOfA}` },
  ],
] satisfies [string, object][]
