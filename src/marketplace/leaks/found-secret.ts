/**
 * The secret in what somebody found: alone, with white space around it, or as the `token` or `code`
 * of an address. Nobody who reports a secret is told whether it was recognised.
 */
export function secretIn(found: string): string {
  const text = found.trim()
  if (!URL.canParse(text)) return text
  const { searchParams } = new URL(text)
  return searchParams.get('token') ?? searchParams.get('code') ?? text
}
