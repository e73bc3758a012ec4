import { expect } from 'vitest'
import type { TestMarketplace } from './app.ts'
import type { Page } from './web-client.ts'

/** Sets the return URL of an app as nothing but the database would take it. */
export async function setReturnUrl(
  { deps }: Pick<TestMarketplace, 'deps'>,
  id: string,
  authReturnUrl: string | null,
): Promise<void> {
  await deps.db.app.update({ where: { id }, data: { authReturnUrl } })
}

/** The one token of a redirect to an app. */
export function tokenOf({ location }: Page): string {
  const tokens = new URL(location ?? '').searchParams.getAll('token')
  expect(tokens).toHaveLength(1)
  return tokens[0] ?? ''
}

/** An error page that helps: it says why and what to do next, and nothing leaves. */
export function expectRefused(
  page: Page,
  status: number,
  detail: RegExp,
  wayOut = 'Go to the start page',
) {
  expect(page.status).toBe(status)
  expect(page.location).toBeNull()
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('cache-control')).toContain('no-store')
  expect(page.headers.get('content-security-policy')).toContain("style-src 'self'")
  expect(page.text).toMatch(detail)
  expect(page.text).toContain(wayOut)
  expect(page.text).not.toMatch(/eyJ[\w-]+\.eyJ/)
}
