import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { newCustomer } from '../../setup/customer.ts'
import { openTold, told, unreadOn } from '../../setup/notifications.ts'
import { hiddenFields, mainOf, signedIn, webClient } from '../../setup/web-client.ts'

const PATH = '/Account/Notifications'

let market: SharedMarketplace
beforeAll(async () => {
  market = await sharedMarketplace()
})

describe('the page of notifications', () => {
  async function admin(count: number) {
    const { party, user } = await newCustomer(market)
    const ids: number[] = []
    for (let at = 0; at < count; at += 1) {
      const { id } = await market.deps.db.notification.create({
        data: {
          ...{ userId: user.id, kind: 'installation_resumed', partyId: party.id },
          ...{ subjectId: randomUUID(), toMail: false, data: { cause: 'account' } },
        },
      })
      ids.push(Number(id))
    }
    return { user, ids, browser: await signedIn(market, user) }
  }

  test('opens nothing of somebody else, which stays unread', async () => {
    const [{ browser }, other] = [await admin(1), await admin(1)]
    const [id = 0] = other.ids
    expect((await openTold(browser, `${PATH}/${id}/Open`)).status).toBe(404)
    expect((await openTold(browser, `${PATH}/x/Open`)).status).toBe(404)
    expect((await told(other.browser)).unread).toBe('1')
  })

  test('has 40 on a page, and marks all as read up to the newest that it shows', async () => {
    const { user, browser } = await admin(41)
    const { page, entries, unread } = await told(browser)
    expect([entries.length, unread]).toEqual([40, '41'])
    const next = /rel="next"\s+href="([^"]+)"/.exec(page.text)?.[1] ?? ''
    expect(mainOf(await browser.get(next)).match(/<li class="row notification/g)).toHaveLength(1)
    const later = await market.deps.db.notification.create({
      data: { userId: user.id, kind: 'installation_resumed', subjectId: 'x', toMail: false },
    })
    const answer = await browser.submit(`${PATH}/Read`, hiddenFields(page.text))
    expect([answer.status, answer.location]).toEqual([303, PATH])
    expect(unreadOn(await browser.get(PATH))).toBe('1')
    expect(await market.deps.db.notification.findUnique({ where: { id: later.id } })).toMatchObject(
      {
        readAt: null,
      },
    )
  })

  test('the bell counts up to 99', async () => {
    const { user, browser } = await admin(0)
    await market.deps.db.notification.createMany({
      data: Array.from({ length: 150 }, (_, at) => ({
        ...{ userId: user.id, kind: 'member_joined', subjectId: String(at), toMail: false },
      })),
    })
    expect(unreadOn(await browser.get('/'))).toBe('99+')
  })

  test('a form with a number that is none is refused', async () => {
    const { browser } = await admin(1)
    const { _csrf = '' } = hiddenFields((await browser.get(PATH)).text)
    for (const upTo of ['', 'x', '-1', '1e3', '9'.repeat(30), '\u0000']) {
      expect((await browser.submit(`${PATH}/Read`, { _csrf, upTo })).status).toBe(400)
    }
    expect((await told(browser)).unread).toBe('1')
  })

  test('who is nobody’s user has no bell', async () => {
    const { text } = await webClient(market).get('/Apps')
    expect(text).not.toContain('class="bell"')
  })
})
