import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import { operatorCalls } from '../../setup/operator.ts'
import {
  hiddenFields,
  type Page,
  signedIn,
  signedInDeveloper,
  type WebClient,
} from '../../setup/web-client.ts'

const PROMISE = 'You can install the app again'
const INVITATION = 'Install it again to use it.'
const REASON = 'It sent prices around.'
const BARRED = `The operator suspended this app for this account. You can install it again only when the operator allows it. The operator’s reason: ${REASON}`

let market: SharedMarketplace
let developer: Author
let customer: Customer
let browser: WebClient
let appId: string
let id: string
beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  developer = await author(market)
  appId = (await listedApp(developer, fullDraft())).id
  customer = await newCustomer(market)
  browser = await signedIn(market, customer.user)
  id = (await customer.install({ appId, purchaseOptionId: 'free' })).body.id
})

const mainOf = ({ text }: Page) => (text.split('<main')[1] ?? '').replace(/\s+/g, ' ')
const textOf = async (path: string) => mainOf(await browser.get(path))
const choose = async (partyId: number) => {
  const form = hiddenFields((await browser.get('/Account/Choose')).text)
  const fields = { ...form, partyId: String(partyId) }
  expect((await browser.post('/Account/Choose', fields)).status).toBe(303)
}
const operate = async (path: string, body?: unknown) => {
  const { status } = await (await operatorCalls(market))('POST', path, body)
  expect(status).toBe(200)
}
const suspend = () => operate(`Installations/${id}/Suspend`, { reason: REASON })
const uninstall = async () => expect((await customer.uninstall(id)).status).toBe(204)

describe('an installation that the operator suspended', () => {
  beforeEach(suspend)

  test('promises no other install before it is uninstalled', async () => {
    const text = await textOf(`/Installed/${id}/Uninstall`)
    expect(text).not.toContain('with its latest version')
    expect(text).toContain('You can install the app again only when the operator allows it.')
  })

  test('promises none to its developer either', async () => {
    const own = await signedInDeveloper(market)
    const text = mainOf(await own.get(`/Developer/Installations/${id}/Uninstall`))
    expect(text).toContain(
      'The account can install the app again only when the operator allows it.',
    )
  })

  test('once uninstalled, is offered no more, and each page says why', async () => {
    await uninstall()
    const installed = await textOf(`/Installed/${id}`)
    expect(installed).not.toContain(INVITATION)
    expect(installed).toContain(BARRED)
    for (const path of [`/Apps/${appId}`, `/Apps/${appId}/Install?purchaseOptionId=free`]) {
      const text = await textOf(path)
      expect(text).toContain(BARRED)
      expect(text).not.toContain(`/Apps/${appId}/Install?`)
      expect(text).not.toContain('name="purchaseOptionId"')
    }
  })

  test('once uninstalled, is offered again when the operator allows it', async () => {
    await uninstall()
    await operate(`Installations/${id}/Resume`)
    expect(await textOf(`/Installed/${id}`)).toContain(INVITATION)
    expect(await textOf(`/Apps/${appId}`)).toContain(`/Apps/${appId}/Install?`)
  })

  test('keeps no other account of the user from it', async () => {
    await uninstall()
    const other = await newCustomer(market)
    await market.deps.db.membership.create({
      data: { userId: customer.user.id, partyId: other.party.id, role: 'admin' },
    })
    const note = 'Suspended for this account by the operator.'
    expect(await textOf(`/Apps?q=${appId}`)).not.toContain(note)
    await choose(customer.party.id)
    expect(await textOf(`/Apps?q=${appId}`)).toContain(note)
    const text = await textOf(`/Apps/${appId}?partyId=${customer.party.id}`)
    expect(text).toContain(BARRED)
    expect(text).toContain(`Switch to <bdi>${other.party.name}</bdi>`)
  })
})

describe('an uninstalled app invites to install it again', () => {
  test('where that can be done', async () => {
    expect(await textOf(`/Installed/${id}/Uninstall`)).toContain(PROMISE)
    await uninstall()
    expect(await textOf(`/Installed/${id}`)).toContain(INVITATION)
  })

  test('with its account, option and the settings that still fit; passwords are asked anew', async () => {
    const settings = { text: 'jane <b>', choice: 5, secret: 's3cret-one', amount: 0.3 }
    await uninstall()
    const full = { appId, purchaseOptionId: 'full', userSettings: settings }
    id = (await customer.install(full)).body.id
    await uninstall()
    const link = /href="(\/Apps\/[^"]*)">Install again</
    const href = (text: string) => (link.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
    const path = href(await textOf(`/Installed/${id}`))
    expect(path).toContain(`from=${id}`)
    expect(href(await textOf('/Installed?status=uninstalled'))).toContain('/Install?')
    const form = await browser.get(path)
    expect(form.text).toContain('Your earlier settings are filled in where they still fit. Enter')
    expect(form.text).toContain('\njane &lt;b&gt;</textarea>')
    expect(form.text).toContain('<option value="5" selected>')
    expect(form.text).toContain('value="0.3"')
    expect(form.text).not.toContain('s3cret-one')
    expect(form.text).not.toContain('A password is saved')
    const other = await signedIn(market, (await newCustomer(market)).user)
    const strange = path.replace(/partyId=\d+&/, '')
    expect((await other.get(strange)).text).not.toContain('jane')
    for (const from of ['x', 'null', '00000000-0000-0000-0000-000000000000']) {
      const plain = await browser.get(path.replace(/from=.*/, `from=${from}`))
      expect([plain.status, plain.text.includes('jane')]).toEqual([200, false])
    }
    const profile = {
      text: { type: 'number', name: 'Text' },
      amount: { type: 'number', name: 'Amount', min: 1 },
    }
    const next = { ...fullDraft({ settings: { full: profile } }), id: appId, version: '2.0.0' }
    expect((await developer.put(next)).status).toBe(200)
    const changed = await browser.get(path)
    expect(changed.text).not.toContain('jane')
    expect(changed.text).not.toContain('value="0.3"')
  })

  test('of a member with a request', async () => {
    await uninstall()
    const member = await signedIn(market, await newMember(market, customer.party.id))
    for (const page of [`/Installed/${id}`, '/Installed?status=uninstalled']) {
      expect(mainOf(await member.get(page))).toContain('>Request again<')
    }
  })

  const ends = {
    'was deleted': async () => expect((await developer.remove(appId)).status).toBe(204),
    'is a draft again': async () => expect((await developer.hide(appId)).status).toBe(200),
    'is suspended': () => operate(`Apps/${appId}/Suspend`, { reason: REASON }),
    'is not offered to the account any more': async () => {
      const definition = { ...fullDraft({ partyTypes: ['Buyer'] }), id: appId, version: '9.0.0' }
      expect((await developer.put(definition)).status).toBe(200)
    },
    'was installed again': async () => {
      expect((await customer.install({ appId, purchaseOptionId: 'free' })).status).toBe(201)
    },
    'is for a suspended account': () =>
      operate(`Parties/${customer.party.id}/Suspend`, { reason: REASON }),
  }
  test.each(Object.entries(ends))('but not when it %s', async (_what, end) => {
    await uninstall()
    await end()
    const text = await textOf(`/Installed/${id}`)
    expect(text).toContain('This app was uninstalled and has no access to your data.')
    expect(text).not.toContain(INVITATION)
    for (const page of [`/Installed/${id}`, '/Installed?status=uninstalled']) {
      expect(await textOf(page)).not.toContain(`from=${id}`)
    }
  })

  test('but is not promised to be installable when it is a draft', async () => {
    await ends['is a draft again']()
    const text = await textOf(`/Installed/${id}/Uninstall`)
    expect(text).not.toContain(PROMISE)
    expect(text).toContain('at the moment you cannot install the app again.')
  })
})
