import { integer } from '../../base/values/variable-shapes.ts'

/** The variables about the lifetimes of tokens. */
export const TOKEN_VARIABLES = {
  DEVELOPER_TOKEN_TTL_SECONDS: {
    schema: integer(1, 86_400),
    default: '3600',
    meaning: 'Lifetime of developer tokens.',
  },
  INSTALLATION_TOKEN_TTL_SECONDS: {
    schema: integer(1, 86_400),
    default: '3600',
    meaning: 'Lifetime of installation tokens, unless the request names one.',
  },
  REDIRECT_TOKEN_TTL_SECONDS: {
    schema: integer(1, 86_400),
    default: '900',
    meaning: 'Lifetime of installation tokens that a redirect hands to a browser.',
  },
  MAX_TOKEN_TTL_SECONDS: {
    schema: integer(60, 86_400),
    default: '86400',
    meaning:
      'Longest lifetime that a request may ask for. The two above are at most that when unset.',
  },
} as const

type Lifetimes = {
  installationTokenTtlSeconds: number
  redirectTokenTtlSeconds: number
  maxTokenTtlSeconds: number
}

/** The lifetimes that `MAX_TOKEN_TTL_SECONDS` limits. */
const LIMITED = {
  INSTALLATION_TOKEN_TTL_SECONDS: 'installationTokenTtlSeconds',
  REDIRECT_TOKEN_TTL_SECONDS: 'redirectTokenTtlSeconds',
} as const

/** The lifetimes with their defaults, which are never more than `MAX_TOKEN_TTL_SECONDS`. */
export function limitDefaults<Values extends Lifetimes>(
  values: Values,
  env: Readonly<Record<string, string | undefined>>,
): Values {
  const limited = { ...values }
  for (const [variable, name] of Object.entries(LIMITED)) {
    if (!env[variable]) limited[name] = Math.min(values[name], values.maxTokenTtlSeconds)
  }
  return limited
}

/** Problems of the variables together, one line each. */
export function tokenProblems(values: Lifetimes): string[] {
  return Object.entries(LIMITED)
    .filter(([, name]) => values[name] > values.maxTokenTtlSeconds)
    .map(([variable]) => `${variable}: is more than MAX_TOKEN_TTL_SECONDS`)
}
