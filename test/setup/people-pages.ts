import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { type Actor, SYSTEM } from '../../src/base/values/actor.ts'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../src/identity/accounts/members/developer-members-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { createLink, renewToken } from '../../src/identity/links/link-tokens-service.ts'
import {
  inviteByOperator,
  inviteToDeveloper,
  inviteToParty,
} from '../../src/identity/people/invitations-service.ts'
import { createPasswordReset } from '../../src/identity/people/password-resets-service.ts'
import { createInstallRequest } from '../../src/marketplace/installations/requests/install-requests-service.ts'
import type { TestMarketplace } from './app.ts'
import { author } from './apps.ts'
import { signInOn } from './browser-pages.ts'
import {
  acceptAll,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
  newMember,
} from './customer.ts'
import { RISK } from './install-form.ts'
import { newAddress } from './people.ts'
import { enrol, nextCode, type Person } from './second-factor.ts'

type PersonKind =
  | 'visitor'
  | 'admin'
  | 'member'
  | 'several'
  | 'owner'
  | 'factor'
  | 'half'
  | 'operator'
type PersonPage = readonly [who: PersonKind, route: string]

/** Whose page it is, and the route; where it has parameters, `fillPeoplePages` says which. */
export const PEOPLE_PAGES: readonly PersonPage[] = [
  ['visitor', '/forgot'],
  ['visitor', '/invitation'],
  ['visitor', '/reset-password'],
  ['visitor', '/confirm-email'],
  ['visitor', '/signin/link'],
  ['half', '/login/code'],
  ['admin', '/Account/Security'],
  ['admin', '/Account/Token'],
  ['admin', '/Account/Email'],
  ['admin', '/Account/SecondFactor'],
  ['admin', '/Account/Members'],
  ['admin', '/Account/Members/Remove'],
  ['admin', '/Account/Members/Invite'],
  ['admin', '/Account/Requests'],
  ['admin', '/Account/Requests/:requestId'],
  ['admin', '/Account/Notifications'],
  ['admin', '/Account/Views'],
  ['admin', '/Account/Views/New'],
  ['admin', '/Search'],
  ['admin', '/Account/Notifications/Mail'],
  ['admin', '/Account/Remove'],
  ['member', '/Apps/:appId/Install'],
  ['member', '/Account/Requests'],
  ['member', '/Account/Members'],
  ['several', '/Account/Members'],
  ['factor', '/Account/Security'],
  ['factor', '/Account/Confirm'],
  ['owner', '/Developer/Choose'],
  ['owner', '/Developer/Members'],
  ['owner', '/Developer/Members/Invite'],
  ['owner', '/Developer/Members/:userId/Remove'],
  ['operator', '/Operator/Invitations'],
  ['operator', '/Operator/Users/:id'],
  ['operator', '/Operator/Users/:id/Password'],
  ['operator', '/Operator/Users/:id/SecondFactor'],
  ['operator', '/Operator/Users/:id/Remove'],
  ['operator', '/Operator/Parties/:id/Close'],
  ['operator', '/Operator/Developers/:id'],
  ['operator', '/Operator/Developers/:id/Members/:userId/Remove'],
  ['operator', '/Operator/Developers/:id/Close'],
]

/** Routes of steps that only the step before leads to: tests of their own walk through them. */
export const STEPS = ['/Account/SecondFactor/Confirm', '/Account/SecondFactor/Done']

/**
 * Makes the people of these pages and signs them in.
 *
 * @returns a browser page for each, and the address of each route that needs more than its path
 */
export async function fillPeoplePages(market: TestMarketplace, browser: Browser) {
  const { deps } = market
  const partyIds = market.demo.users.map(({ partyId }) => partyId)
  const personOf = (name: string, of: number[] = []) =>
    createUser(deps, { email: newAddress(), name, partyIds: [...new Set(of)] })
  const { user: admin, party } = await newCustomer(market)
  const partyId = party.id
  const wide = await personOf('W'.repeat(200), [partyId])
  const owner = await personOf('Olga Owner')
  const developer = await createDeveloper(deps, { name: 'Nospaces'.repeat(12) })
  const second = await createDeveloper(deps, { name: 'Second Developer' })
  for (const { id } of [developer, second]) {
    await addDeveloperMember(deps, id, { userId: owner.id, role: 'owner' }, SYSTEM)
  }
  await addDeveloperMember(deps, developer.id, { userId: wide.id, role: 'member' }, SYSTEM)
  const requestId = await newRequest(market, partyId)
  const asked = await listedApp(await author(market), fullDraft({ acknowledgements: [RISK] }))
  const toColleague = { email: newAddress(), name: 'Wide'.repeat(40), role: 'admin' as const }
  const inviter = {
    userId: admin.id,
    actor: { kind: 'user', id: admin.id, address: null } as const,
  }
  await inviteToParty(deps, partyId, toColleague, inviter)
  await inviteToDeveloper(deps, developer.id, { ...toColleague, role: 'owner' }, SYSTEM)
  const factor = await personOf('Fay Factor', [partyId])
  const { secret } = await enrol(market, factor)

  const newPage = async () => (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
  const signedIn = async (person: Person) => {
    const page = await newPage()
    await signInOn(page, market, person)
    return page
  }
  const half = await newPage()
  await passwordStep(half, market, factor)
  const withCode = await newPage()
  await passwordStep(withCode, market, factor)
  await withCode.getByLabel('Code', { exact: true }).fill(nextCode(market, secret))
  await withCode.getByRole('button', { name: 'Continue' }).click()
  await withCode.waitForURL((at) => ['/', '/Operator', '/Developer'].includes(at.pathname))
  const pages: Record<PersonKind, Page> = {
    visitor: await newPage(),
    half,
    factor: withCode,
    admin: await signedIn(admin),
    member: await signedIn(await newMember(market, partyId)),
    several: await signedIn(await personOf('Sam Several', partyIds)),
    owner: await signedIn(owner),
    operator: await signedIn(market.demo.operator),
  }
  await pages.owner.goto(`${market.url}/Developer/Choose`)
  await pages.owner.getByRole('button', { name: developer.name }).click()
  await pages.owner.waitForURL(`${market.url}/Developer`)

  const invitation = { email: newAddress(), name: 'Ingo Invited', partyIds: [partyId] }
  const invited = await inviteByOperator(deps, invitation, SYSTEM)
  const reset = await createPasswordReset(deps, owner.id, SYSTEM)
  const confirmation = await createLink(deps, {
    ...{ purpose: 'email_change', email: owner.email, scope: `from ${owner.id}` },
    grants: { request: randomUUID(), from: owner.email, to: newAddress() },
    ...{ userId: owner.id, actor: SYSTEM },
  })
  const token = await renewToken(deps, confirmation.id, { mailed: true })
  const pathOf = (link: string | undefined) => link?.slice(market.url.length) ?? '/no-link'
  const paths: Record<string, string> = {
    '/invitation': pathOf(invited.link),
    '/reset-password': pathOf(reset.link),
    '/confirm-email': `/confirm-email?token=${token}`,
    '/Account/Views/New': '/Account/Views/New?path=%2FInstalled&query=q%3Da',
    '/Search': '/Search?q=wide',
    '/Account/Members/Remove': `/Account/Members/Remove?partyId=${partyId}&userId=${wide.id}`,
    '/Apps/:appId/Install': `/Apps/${asked.id}/Install`,
    '/Account/Requests/:requestId': `/Account/Requests/${requestId}`,
    '/Developer/Members/:userId/Remove': `/Developer/Members/${wide.id}/Remove`,
    '/Operator/Users/:id': `/Operator/Users/${factor.id}`,
    '/Operator/Users/:id/Password': `/Operator/Users/${wide.id}/Password`,
    '/Operator/Users/:id/SecondFactor': `/Operator/Users/${factor.id}/SecondFactor`,
    '/Operator/Users/:id/Remove': `/Operator/Users/${wide.id}/Remove`,
    '/Operator/Parties/:id/Close': `/Operator/Parties/${partyId}/Close`,
    '/Operator/Developers/:id': `/Operator/Developers/${developer.id}`,
    '/Operator/Developers/:id/Members/:userId/Remove': `/Operator/Developers/${developer.id}/Members/${wide.id}/Remove`,
    '/Operator/Developers/:id/Close': `/Operator/Developers/${developer.id}/Close`,
  }
  return { pages, paths, admin }
}

/** A request of a member, with settings, a note and a text to accept. */
async function newRequest(market: TestMarketplace, partyId: number): Promise<string> {
  const app = await listedApp(await author(market), fullDraft({ acknowledgements: [RISK] }))
  const { id: userId } = await newMember(market, partyId)
  const actor: Actor = { kind: 'user', id: userId, address: null }
  const asked = {
    ...{ appId: app.id, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
    ...(await acceptAll(market, app.id)),
    ...{ termsDocument: null, note: 'Wide'.repeat(60) },
  }
  const { id } = await createInstallRequest(market.deps, { userId, actor }, partyId, asked)
  return id
}

/** Signs in as far as to the page that asks for a code. */
async function passwordStep(
  page: Page,
  { url }: Pick<TestMarketplace, 'url'>,
  { email, password }: Person,
): Promise<void> {
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(/\/login\/code/)
}
