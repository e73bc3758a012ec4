import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import { setReturnUrl } from '../../setup/redirect.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: SharedMarketplace
let appIds: { installed: string; other: string }
let admin: Customer
let user: Awaited<ReturnType<typeof newMember>>
let installedPath: string
let browser: WebClient
let adminBrowser: WebClient

beforeAll(async () => {
  market = await sharedMarketplace()
  const developer = await author(market)
  appIds = {
    installed: (await listedApp(developer, fullDraft())).id,
    other: (await listedApp(developer, fullDraft())).id,
  }
})
beforeEach(async () => {
  admin = await newCustomer(market)
  user = await newMember(market, admin.party.id)
  const made = await admin.install({ appId: appIds.installed, purchaseOptionId: 'free' })
  installedPath = `/Installed/${made.body.id}`
  browser = await signedIn(market, user)
  adminBrowser = await signedIn(market, admin.user)
})

const members = () => `/Account/Members?partyId=${admin.party.id}`
const fileOfMembers = () => `/Account/Members/Export?partyId=${admin.party.id}`
const page = async (path: string) => (await browser.get(path)).text

describe('a member', () => {
  test('finds no way to change an app, and reads whom to ask', async () => {
    const { text } = await browser.get(installedPath)
    expect(text).toContain('Ask an admin of the account: Casey Customer.')
    for (const way of ['Settings', 'Option', 'Upgrade', 'Uninstall']) {
      expect(text).not.toContain(`${installedPath}/${way}`)
      const page = await browser.get(`${installedPath}/${way}`)
      expect(page.status, way).toBe(403)
      expect(page.text).toContain('Only an admin of the account may do this')
    }
    const listing = await browser.get(`/Apps/${appIds.other}`)
    expect(listing.text).toContain('Request it, and Casey Customer will decide.')
  })

  test('reads that it can open an app only where the app can be opened', async () => {
    const isSaidToOpen = async () =>
      (await browser.get(installedPath)).text.includes('You can open this app.')
    expect(await isSaidToOpen()).toBe(true)
    await setReturnUrl(market, appIds.installed, null)
    expect(await isSaidToOpen()).toBe(false)
    await setReturnUrl(market, appIds.installed, 'https://app.example/return')
  })

  test.each(['Settings', 'Option', 'Upgrade', 'Uninstall'])(
    'is refused when it sends the form %s of an admin',
    async (way) => {
      const { text } = await browser.get('/Account')
      const { _csrf = '' } = hiddenFields(text)
      const answer = await browser.post(`${installedPath}/${way}`, { _csrf })
      expect(answer.status).toBe(403)
      expect((await admin.list()).body).toHaveLength(1)
    },
  )

  test('reads on the page of members which admin to ask, and no address', async () => {
    const { text } = await browser.get(members())
    expect(text).toContain('Ask an admin of the account: Casey Customer.')
    expect(text).not.toContain(admin.user.email)
  })

  test('is refused the file of members, and finds no way to it', async () => {
    expect(await page(members())).not.toContain('/Export')
    expect((await browser.get(fileOfMembers())).status).toBe(403)
  })

  test('leaves the account on the page of members, after a last word', async () => {
    const { text } = await browser.get(members())
    const [, path = ''] = /href="([^"]*)">Leave account/.exec(text) ?? []
    const asked = await browser.get(path.replaceAll('&amp;', '&'))
    expect(asked.text).toContain(`<h1>Leave <bdi>${admin.party.name}</bdi></h1>`)
    const sent = await browser.submit('/Account/Members/Remove', hiddenFields(asked.text))
    expect(sent.location).toBe('/Account/Accounts')
    expect((await browser.get('/Account/Accounts')).text).toContain(`You left ${admin.party.name}.`)
    expect((await browser.get(installedPath)).status).toBe(404)
  })

  test('reads in another tab that the account was left, and not how to come back', async () => {
    const [, path = ''] = /href="([^"]*)">Leave account/.exec(await page(members())) ?? []
    const question = path.replaceAll('&amp;', '&')
    const [one, other] = [await page(question), await page(question)].map(hiddenFields)
    await browser.submit('/Account/Members/Remove', one ?? {})
    await browser.get('/Account/Accounts')
    const sent = await browser.submit('/Account/Members/Remove', other ?? {})
    expect(sent.location).toBe('/Account/Accounts')
    expect(await page('/Account/Accounts')).toContain('You do not belong to that account any more.')
  })
})

describe('an admin', () => {
  test('makes a member an admin, who then can uninstall', async () => {
    const { text } = await adminBrowser.get(members())
    expect(text).toContain(`<title>Members of ${admin.party.name} · `)
    expect(text).toContain(user.email)
    const sent = await adminBrowser.submit('/Account/Members', {
      ...hiddenFields(text),
      partyId: String(admin.party.id),
      userId: user.id,
      role: 'admin',
    })
    expect(sent.location).toBe(members())
    expect((await adminBrowser.get(members())).text).toContain('The role was changed to admin.')
    expect((await browser.get(`${installedPath}/Uninstall`)).status).toBe(200)
  })

  test('reads how many members there are, and gets a file with a line for each', async () => {
    const { text } = await adminBrowser.get(members())
    expect(text).toContain('<p>2 members</p>')
    expect(text).toContain(`href="${fileOfMembers()}">CSV<`)
    const data = { suspendedAt: market.deps.now() }
    await market.deps.db.user.update({ where: { id: user.id }, data })
    const file = await adminBrowser.get(fileOfMembers())
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="members.csv"')
    const [head, ...lines] = file.text.trimEnd().split('\r\n')
    expect(head).toBe('Name,Email,Role,State,Joined,User ID')
    const line = (role: string, id: string) =>
      expect.stringMatching(new RegExp(`^[^,]+,[^,]+@[^,]+,${role},2[^,]+Z,${id}$`))
    expect(lines.toSorted((one) => (one.includes(',Admin,') ? -1 : 1))).toEqual([
      line('Admin,Active', admin.user.id),
      line('Member,Suspended', user.id),
    ])
  })

  test('removes a member after a last word', async () => {
    const path = `/Account/Members/Remove?partyId=${admin.party.id}&userId=${user.id}`
    const { text } = await adminBrowser.get(path)
    expect(text).toContain(user.email)
    const sent = await adminBrowser.submit('/Account/Members/Remove', hiddenFields(text))
    expect(sent.location).toBe(members())
    expect((await browser.get(installedPath)).status).toBe(404)
  })

  test('who is the last one stays, and the page says so', async () => {
    const { text } = await adminBrowser.get(members())
    const shown = await adminBrowser.post('/Account/Members', {
      ...hiddenFields(text),
      partyId: String(admin.party.id),
      userId: admin.user.id,
      role: 'member',
    })
    expect(shown.status).toBe(409)
    expect(shown.text).toContain('This is the only admin of the account who can sign in.')
  })

  test('finds no button that takes the own role away', async () => {
    const { text } = await adminBrowser.get(members())
    expect(text).toContain(`${admin.user.name}</bdi> (you)`)
    expect(text.match(/Make (admin|member)/g)).toEqual(['Make admin'])
    expect(text.match(/Remove…/g)).toHaveLength(1)
  })

  test('leaves the account in words for oneself', async () => {
    const { party, user: self } = admin
    expect((await adminBrowser.get(members())).text.match(/>Leave account</g)).toHaveLength(1)
    const path = `/Account/Members/Remove?partyId=${party.id}&userId=${self.id}`
    const { text } = await adminBrowser.get(path)
    expect(text).toContain(`<h1>Leave <bdi>${party.name}</bdi></h1>`)
    expect(text).toContain('You can no longer see or open the apps of')
    expect(text).toContain('To come back, ask an admin of the account to invite you.')
    expect(text).not.toMatch(/issued for them|The user keeps/)
  })

  test('of one account is nobody in another', async () => {
    const { party } = await newCustomer(market)
    const { text } = await adminBrowser.get('/Account')
    const { _csrf = '' } = hiddenFields(text)
    const partyId = String(party.id)
    for (const path of ['/Account/Members', '/Account/Members/Export']) {
      expect((await adminBrowser.get(`${path}?partyId=${partyId}`)).status, path).toBe(404)
    }
    const fields = { _csrf, partyId, userId: user.id, role: 'admin' }
    expect((await adminBrowser.submit('/Account/Members', fields)).status).toBe(404)
    expect((await adminBrowser.submit('/Account/Members/Remove', fields)).status).toBe(404)
  })
})
