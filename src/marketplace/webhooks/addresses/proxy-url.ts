import { z } from 'zod'

/** WEBHOOK_PROXY_URL: `http://[user:password@]host:port`. */
export const ProxyUrlVariable = z
  .string()
  .refine(isProxyUrl, 'must be http://host:port or http://user:password@host:port')

function isProxyUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, port, pathname, search, hash, username, password } = new URL(text)
  return (
    protocol === 'http:' &&
    hostname !== '' &&
    port !== '0' &&
    pathname === '/' &&
    `${search}${hash}` === '' &&
    isPercentEncoded(`${username}${password}`)
  )
}

/** Whether `decodeURIComponent` can read a text. */
function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}
