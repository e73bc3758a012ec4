/** A secret of a redirect, and the hash of it that others may see (RFC 7636). */
export type Pkce = { verifier: string; challenge: string }

/** Makes a verifier of 256 random bits and its S256 challenge. */
export async function createPkce(): Promise<Pkce> {
  const verifier = randomText()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: base64url(new Uint8Array(digest)) }
}

/** 256 random bits as text that needs no escapes in addresses and cookies. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
