/** Why a request got no response, as the system or the TLS library says it. */
export function whyFailed(failure: unknown): string {
  let innermost = failure
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause
  const { message, code } = innermost as NodeJS.ErrnoException
  // The error for a name with several addresses has only a code.
  return message || code || String(innermost)
}
