import { expect } from 'vitest'
import { OWN_SCRIPT } from './web-client.ts'

/** The directives of a Content-Security-Policy with their sources. */
export const directives = (policy: string | null) =>
  new Map(
    policy?.split(';').map((part) => {
      const [name = '', ...sources] = part.trim().split(/\s+/)
      return [name, sources.join(' ')]
    }),
  )

/** Headers that every answer has, whoever gets it. */
export function expectGuarded(headers: Headers): void {
  const policy = directives(headers.get('content-security-policy'))
  expect(policy.get('default-src')).toBe("'none'")
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect([...policy.values()].join(' ')).not.toMatch(/unsafe|data: \*|(^| )\*/)
  expect([undefined, "'self'"]).toContain(policy.get('script-src'))
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
  expect(headers.has('server') || headers.has('x-powered-by')).toBe(false)
}

/** Headers of everything that a browser may show as a page. */
export function expectHardened(headers: Headers): void {
  expectGuarded(headers)
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\).*payment=\(\)/)
}

/** Nothing of a page runs or loads but our own style sheets, pictures and `OWN_SCRIPT`. */
export function expectNothingInline(whole: string): void {
  const document = whole.replace(OWN_SCRIPT, '')
  expect(document).not.toMatch(/<script|<style|<iframe|<object|<embed|<base|javascript:/i)
  expect(document).not.toMatch(/<[^>]+\s(style|on\w+|srcdoc|formaction)\s*=/i)
  expect(document).not.toMatch(/<meta[^>]+http-equiv/i)
  // A page tells its own address to search engines; nothing is loaded from it.
  for (const [, address = ''] of document.matchAll(/<link rel="canonical" href="([^"]*)">/g)) {
    expect(address).toMatch(/^https?:\/\/[^/]+\/Apps(\/[a-z0-9-]+)?$/)
  }
  const loading = document.replaceAll(/<link rel="canonical"[^>]*>/g, '')
  for (const [, address = ''] of loading.matchAll(/<(?:img|link)[^>]+(?:src|href)="([^"]*)"/g)) {
    expect(address).toMatch(/^\/(assets|media)\//)
  }
}
