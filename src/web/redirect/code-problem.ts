import { isCodeChallenge } from '../../marketplace/oauth/code-challenge.ts'
import { isOwnResource } from '../../marketplace/oauth/resource.ts'
import { beyondGrant, isKnownScope } from '../../marketplace/oauth/scope.ts'
import type { CodeRequest } from './redirect-request.ts'

/**
 * The error that an app gets at its return address (RFC 6749, 4.1.2.1; RFC 8707, 2), in words for
 * its developer.
 */
export type CodeProblem = {
  error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target'
  description: string
}

/**
 * What is wrong with a request for a code, whichever user opens the app.
 *
 * @param publicUrl the base address of this server
 */
export function codeProblem(
  { responseType, challenge, method, scope, resource }: CodeRequest,
  publicUrl: string,
): CodeProblem | undefined {
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' }
  }
  if (method !== 'S256') return invalid('code_challenge_method must be S256')
  if (!isCodeChallenge(challenge ?? '')) {
    return invalid('code_challenge must be a SHA-256 in base64url')
  }
  if (scope !== undefined && !isKnownScope(scope)) {
    const description =
      'scope must be permissions of GET /v1/Permissions, with a space between them'
    return { error: 'invalid_scope', description }
  }
  if (resource !== undefined && !isOwnResource(resource, publicUrl)) {
    const description = 'resource must be the base address of this server'
    return { error: 'invalid_target', description }
  }
  return undefined
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
