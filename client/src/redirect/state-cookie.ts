import type { Start } from './start-address.ts'

const TTL_SECONDS = 600

/** A cookie with which only the browser that began a redirect can end it. */
export type StateCookie = {
  read(request: Request): Pick<Start, 'state' | 'verifier'> | undefined
  /** The `Set-Cookie` header that keeps the beginning of a redirect. */
  keep(start: Start): string
  /** The `Set-Cookie` header that deletes it. */
  clear: string
}

/** Makes the cookie of an app. With https, no other site of the same domain can set it. */
export function stateCookie({
  appId,
  isSecure,
}: {
  appId: string
  isSecure: boolean
}): StateCookie {
  const name = `${isSecure ? '__Host-' : ''}open-${appId}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read(request) {
      const cookies = request.headers.get('cookie')?.split(/; */) ?? []
      const value = cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
      const [state, verifier] = value?.split('.') ?? []
      return state && verifier ? { state, verifier } : undefined
    },
    keep: ({ state, verifier }) =>
      `${name}=${state}.${verifier}; Max-Age=${TTL_SECONDS}; ${attributes}`,
    clear: `${name}=; Max-Age=0; ${attributes}`,
  }
}
