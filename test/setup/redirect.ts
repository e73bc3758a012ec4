import { expect } from 'vitest'
import { issueToken } from '../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../src/marketplace/installations/mint-token-service.ts'
import type { SharedMarketplace } from './app.ts'
import type { Page } from './web-client.ts'

/** Sets the return URL of an app as nothing but the database would take it. */
export async function setReturnUrl(
  { deps }: Pick<SharedMarketplace, 'deps'>,
  id: string,
  authReturnUrl: string | null,
): Promise<void> {
  await deps.db.app.update({ where: { id }, data: { authReturnUrl } })
}

/** A token as the redirect makes it for a user, without asking whether the user may have it. */
export async function redirectToken(
  { deps }: Pick<SharedMarketplace, 'deps'>,
  installationId: string,
  userId: string,
): Promise<string> {
  const { db } = deps
  const row = await db.installation.findUniqueOrThrow({ where: { id: installationId } })
  const user = await db.user.findUniqueOrThrow({ where: { id: userId } })
  const membership = await db.membership.findUnique({
    where: { userId_partyId: { userId, partyId: row.partyId } },
  })
  const maker = {
    user_id: userId,
    ugen: user.tokenGeneration,
    mgen: membership?.generation ?? 0,
  }
  return (await issueToken(deps, tokenClaims(row, row.permissions, maker), 900)).token
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
