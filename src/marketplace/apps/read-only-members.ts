/** Members of an app that are answered and never sent. */
export const READ_ONLY = {
  developerName: true,
  tagline: true,
  icon: true,
  screenshots: true,
  termsDocument: true,
  createdAt: true,
  updatedAt: true,
  listed: true,
  visibility: true,
  suspended: true,
  suspendedReason: true,
  webhooks: true,
} as const

/**
 * What is wrong with an app that was sent back as it was answered; undefined when a member is unknown.
 *
 * @param names of members that a definition has not
 */
export function readOnlyProblem(names: readonly string[]): string | undefined {
  if (!names.every((name) => Object.hasOwn(READ_ONLY, name))) return undefined
  return 'is read-only; GET /v1/Developer/Apps/{appId}/Definition answers what can be sent'
}
