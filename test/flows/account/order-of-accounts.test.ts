import { beforeAll, expect, test } from 'vitest'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { accountToken } from '../../setup/client.ts'
import { accountCalls, fullDraft, listedApp } from '../../setup/customer.ts'
import { newAddress } from '../../setup/people.ts'
import { signedIn, type WebClient } from '../../setup/web-client.ts'

/** As people read them; by their codes, `Zeta` would come second and `Émile` last. */
const NAMES = ['alpha', 'Beta', 'eBay corner', 'Émile', 'Zeta']

let market: SharedMarketplace
let browser: WebClient
let appId: string
/** Nobody has it. */
let otherId: string

beforeAll(async () => {
  market = await sharedMarketplace()
  const { deps } = market
  const partyIds: number[] = []
  for (const name of NAMES.toReversed()) {
    partyIds.push((await createParty(deps, { name, type: 'Seller' })).id)
  }
  const user = await createUser(deps, { email: newAddress(), name: 'Fay Five', partyIds })
  appId = (await listedApp(await author(market), fullDraft())).id
  otherId = (await listedApp(await author(market), fullDraft())).id
  const calls = accountCalls(market, await accountToken(market, user))
  for (const partyId of partyIds.slice(1)) {
    const installed = await calls.install({ appId, partyId, purchaseOptionId: 'free' })
    expect(installed.status, JSON.stringify(installed.body)).toBe(201)
  }
  browser = await signedIn(market, user)
})

/** The names on a page, in the order in which they come first. */
const namesOn = async (path: string) => {
  const { text } = await browser.get(path)
  const found = [...(text.split('<main')[1] ?? '').matchAll(/<bdi>([^<]+)<\/bdi>/g)]
  return [...new Set(found.map(([, name = '']) => name))].filter((name) => NAMES.includes(name))
}

test.each([
  '/',
  '/Account/Accounts',
  '/Account/Choose',
  '/Account/Members',
  '/Apps/:app',
  '/Apps/:other/Install',
])('the accounts of a user come in the order of a dictionary on %s', async (path) => {
  expect(await namesOn(path.replace(':app', appId).replace(':other', otherId))).toEqual(NAMES)
})

test('the accounts that an app can be opened for come in the order of a dictionary', async () => {
  expect(await namesOn(`/Apps/Authenticate/${appId}`)).toEqual(NAMES.slice(0, -1))
})
