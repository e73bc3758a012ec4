import type { Start } from './start-address.ts'

const TTL_SECONDS = 600

/** A cookie that lets only the browser that began a redirect end it. */
export type StateCookie = {
  read(request: Request): Pick<Start, 'state' | 'verifier'> | undefined
  /** The header `Set-Cookie` that keeps what a redirect began with. */
  keep(start: Start): string
  /** The header `Set-Cookie` that forgets it. */
  clear: string
}

/** The cookie of an app; with https no other site of the same domain can set it. */
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
