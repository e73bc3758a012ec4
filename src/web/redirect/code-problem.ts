import { isCodeChallenge } from '../../oauth/code-challenge.ts'
import { beyondGrant, isKnownScope } from '../../oauth/scope.ts'
import type { CodeRequest } from './redirect-request.ts'

/**
 * The error that an app gets at its return address (RFC 6749, 4.1.2.1), in words for its developer.
 */
export type CodeProblem = { error: 'invalid_request' | 'invalid_scope'; description: string }

/** What is wrong with a request for a code, whichever user opens the app. */
export function codeProblem({ challenge, method, scope }: CodeRequest): CodeProblem | undefined {
  if (method !== 'S256') return invalid('code_challenge_method must be S256')
  if (!isCodeChallenge(challenge ?? '')) {
    return invalid('code_challenge must be a SHA-256 in base64url')
  }
  if (scope === undefined || isKnownScope(scope)) return undefined
  return {
    error: 'invalid_scope',
    description: 'scope must be permissions of GET /v1/Permissions, with a space between them',
  }
}

/** What is wrong with a request for a code for an installation with these permissions. */
export function grantProblem(
  granted: readonly string[],
  { scope = '' }: CodeRequest,
): CodeProblem | undefined {
  const missing = beyondGrant(granted, scope)
  if (missing.length === 0) return undefined
  const description = `the installation was not granted ${missing.join(', ')}`
  return { error: 'invalid_scope', description }
}

function invalid(description: string): CodeProblem {
  return { error: 'invalid_request', description }
}
