import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { author, authorWith } from '../../../setup/apps.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { fullDraft, listedApp, newCustomer, newMember } from '../../../setup/customer.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { heldRows } from '../../../setup/turns.ts'

// A record of an installation has the name of its account; developers go on reading it from there.

let market: SharedMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await sharedMarketplace()
  operator = await operatorCalls(market)
})

const { hold, waiting, letGo, statuses } = heldRows(() => market)

async function newApp() {
  const { token } = await author(market)
  const { id } = await listedApp(authorWith(market, token), fullDraft())
  const { developer } = await market.deps.db.app.findUniqueOrThrow({
    where: { id },
    include: { developer: true },
  })
  return { id, token, developer }
}

async function accountNameOf(token: string, installationId: string): Promise<string> {
  const path = `/v1/Developer/Installations/${installationId}`
  return (await call(market, 'GET', path, { token })).body.partyName
}

test('an account that is renamed while it installs an app has the new name in the record', async () => {
  const app = await newApp()
  const customer = await newCustomer(market)
  const name = `Renamed ${randomUUID()}`
  // The record is made, and not yet committed.
  await hold('SELECT 1 FROM developers WHERE id = $1 FOR UPDATE', app.developer.id)
  try {
    const installed = customer.install({ appId: app.id, purchaseOptionId: 'free' })
    await waiting(1)
    const renamed = operator('PATCH', `Parties/${customer.party.id}`, { name })
    await waiting(2)
    await letGo()
    expect(await statuses([installed, renamed])).toEqual([201, 200])
    expect(await accountNameOf(app.token, (await installed).body.id)).toBe(name)
  } finally {
    await letGo()
  }
})

test('a sandbox that is renamed with its developer while an app in it is replaced, likewise', async () => {
  const { id, token, developer } = await newApp()
  const body = { purchaseOptionId: 'full' }
  const install = () => call(market, 'POST', `/v1/Developer/Apps/${id}/Sandbox`, { token, body })
  const former = await install()
  const { sandboxPartyId, name: formerName } = developer
  await hold('SELECT 1 FROM setting_values WHERE installation_id = $1 FOR UPDATE', former.body.id)
  const name = `Renamed ${randomUUID()}`
  try {
    const replaced = install()
    await waiting(1)
    const renamed = operator('PATCH', `Developers/${developer.id}`, { name })
    await waiting(2)
    await letGo()
    expect(await statuses([replaced, renamed])).toEqual([201, 200])
    const sandbox = await operator('GET', `Parties/${sandboxPartyId}`)
    expect(await accountNameOf(token, (await replaced).body.id)).toBe(sandbox.body.name)
  } finally {
    await letGo()
  }
  await operator('PATCH', `Developers/${developer.id}`, { name: formerName })
})

test('an account is renamed while a request of a member who is being removed is accepted', async () => {
  const app = await newApp()
  const { party, token } = await newCustomer(market)
  const member = await newMember(market, party.id)
  const requests = `/v1/Account/Parties/${party.id}/InstallRequests`
  const asked = await call(market, 'POST', requests, {
    token: await accountToken(market, member),
    body: { appId: app.id, purchaseOptionId: 'free' },
  })
  await hold('SELECT 1 FROM memberships WHERE user_id = $1 FOR UPDATE', member.id)
  try {
    const removed = operator('DELETE', `Memberships/${member.id}/${party.id}`)
    await waiting(1)
    const renamed = operator('PATCH', `Parties/${party.id}`, { name: `Renamed ${randomUUID()}` })
    await waiting(2)
    const accepted = call(market, 'POST', `${requests}/${asked.body.id}/Accept`, {
      token,
      body: {},
    })
    await waiting(3)
    await letGo()
    expect(await statuses([removed, renamed, accepted])).toEqual([204, 200, 404])
  } finally {
    await letGo()
  }
})
