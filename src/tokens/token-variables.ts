import { integer } from '../values/variable-shapes.ts'

/** The variables about the lifetimes of tokens. */
export const TOKEN_VARIABLES = {
  DEVELOPER_TOKEN_TTL_SECONDS: {
    schema: integer(60, 86_400),
    default: '3600',
    meaning: 'Lifetime of developer tokens.',
  },
  INSTALLATION_TOKEN_TTL_SECONDS: {
    schema: integer(60, 86_400),
    default: '3600',
    meaning: 'Lifetime of installation tokens, unless the request names one.',
  },
  REDIRECT_TOKEN_TTL_SECONDS: {
    schema: integer(60, 86_400),
    default: '900',
    meaning: 'Lifetime of installation tokens that a redirect hands to a browser.',
  },
  MAX_TOKEN_TTL_SECONDS: {
    schema: integer(60, 86_400),
    default: '86400',
    meaning: 'Longest lifetime that a request may ask for.',
  },
} as const

/** Problems of the variables together, one line each. */
export function tokenProblems(values: {
  installationTokenTtlSeconds: number
  redirectTokenTtlSeconds: number
  maxTokenTtlSeconds: number
}): string[] {
  const problems: string[] = []
  if (values.installationTokenTtlSeconds > values.maxTokenTtlSeconds) {
    problems.push('INSTALLATION_TOKEN_TTL_SECONDS: is more than MAX_TOKEN_TTL_SECONDS')
  }
  if (values.redirectTokenTtlSeconds > values.maxTokenTtlSeconds) {
    problems.push('REDIRECT_TOKEN_TTL_SECONDS: is more than MAX_TOKEN_TTL_SECONDS')
  }
  return problems
}
