import { z } from 'zod'
import { onOff, trueFalse } from '../../base/values/variable-shapes.ts'
import { FactorGroupsVariable } from '../auth/second-factor/factor-groups.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is of this machine, where https protects nothing. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.includes(new URL(url).hostname)
}

/** A slash at the end is a part of an issuer. */
const issuerUrl = z
  .string()
  .refine(
    (value) =>
      URL.canParse(value) &&
      /^https?:\/\/[^/]/.test(value) &&
      !/[?#@]/.test(value) &&
      (value.startsWith('https:') || isLoopback(value)),
    'must be an https URL without query, fragment or user name; http only for this machine',
  )

/** The variables about how users sign in. */
export const SIGN_IN_VARIABLES = {
  OIDC_ISSUER: {
    schema: issuerUrl,
    default: undefined,
    meaning:
      'Single sign-on: issuer of an OpenID Connect provider, as its metadata have it. Its ' +
      'redirect URI for this server is `PUBLIC_URL/signin/oidc/callback`.',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1),
    default: undefined,
    meaning: 'Client id of this server at that provider.',
  },
  OIDC_CLIENT_SECRET: {
    schema: z.string().min(1),
    default: undefined,
    secret: true,
    meaning: 'Client secret of this server at that provider.',
  },
  OIDC_NAME: {
    schema: z.string().trim().min(1).max(60),
    default: 'single sign-on',
    meaning: 'Name of the provider on the sign-in page: "Sign in with ...".',
  },
  OIDC_TRUST_EMAIL: {
    schema: trueFalse,
    default: 'false',
    meaning:
      'True: an address counts as verified where the provider does not say whether it is ' +
      '(`email_verified`), as Entra ID never does. Only for a provider whose people cannot ' +
      'choose their addresses.',
  },
  OIDC_TRUST_SECOND_FACTOR: {
    schema: trueFalse,
    default: 'true',
    meaning:
      'The provider asks for a second factor where one is needed; `false`: users who have one ' +
      'here are asked for it after single sign-on, too.',
  },
  PASSWORD_LOGIN: {
    schema: onOff,
    default: 'on',
    meaning:
      'Off: users sign in by single sign-on only. `npm run cli -- operator sign-in-link` keeps ' +
      'a way in. Credentials of developers are not affected.',
  },
  REQUIRE_SECOND_FACTOR: {
    schema: FactorGroupsVariable,
    default: '',
    meaning:
      'Who must have a second factor: `operators`, `developers`, `admins`, comma-separated. A ' +
      'user who has none reaches nothing from the next request on, until it is turned on.',
  },
} as const

/** Problems of the variables together, one line each. */
export function signInProblems(values: {
  oidcIssuer: string | undefined
  oidcClientId: string | undefined
  oidcClientSecret: string | undefined
  passwordLogin: boolean
}): string[] {
  const { oidcIssuer, oidcClientId, oidcClientSecret, passwordLogin } = values
  const all = { OIDC_ISSUER: oidcIssuer, OIDC_CLIENT_ID: oidcClientId }
  const missing = Object.entries({ ...all, OIDC_CLIENT_SECRET: oidcClientSecret })
    .filter(([, value]) => value === undefined)
    .map(([name]) => name)
  const isPartial = missing.length > 0 && missing.length < 3
  return [
    ...(isPartial ? missing.map((name) => `${name}: is required for single sign-on`) : []),
    ...(!passwordLogin && missing.includes('OIDC_ISSUER')
      ? ['PASSWORD_LOGIN: off needs OIDC_ISSUER: nobody could sign in']
      : []),
  ]
}
