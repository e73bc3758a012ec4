import { describe, expect, test } from 'vitest'
import { author } from '../../setup/apps.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { operatorConsole } from '../../setup/operator.ts'

const { market, operator, seller, userIdOf, aDeveloper } = operatorConsole()

describe('the form of a suspension says who reads the reason', () => {
  const hintAt = async (path: string) => {
    const { text } = await operator().get(`/Operator/${path}/Suspend`)
    return /id="reason-hint">([^<]*)</.exec(text)?.[1]?.replace(/\s+/g, ' ').trim()
  }
  const AT_MOST = 'At most 500 characters.'

  test('of a developer, an app, a party and an installation', async () => {
    const { id: developerId } = await aDeveloper()
    expect(await hintAt(`Developers/${developerId}`)).toBe(
      `Shown to members who sign in with a personal login, and to accounts that have its apps. ${AT_MOST}`,
    )
    expect(await hintAt('Apps/stock-watch')).toBe(
      `Shown to its developer and to accounts that have it. ${AT_MOST}`,
    )
    expect(await hintAt(`Parties/${seller().partyId}`)).toBe(`Shown to its members. ${AT_MOST}`)
    expect(await hintAt(`Installations/${market().demo.installations[0]?.id}`)).toBe(
      `Shown to its account and to the developer of the app. ${AT_MOST}`,
    )
  })

  test('of a user, who does not', async () => {
    expect(await hintAt(`Users/${await userIdOf(seller().email)}`)).toBe(
      `Kept in the audit trail, and not shown to the suspended user. After you resume the user, the download of their own data contains it. ${AT_MOST}`,
    )
  })
})

test('who allows an uninstalled app to be installed again is told that, and not that it works', async () => {
  const app = await listedApp(await author(market()), fullDraft())
  const customer = await newCustomer(market())
  const { id } = (await customer.install({ appId: app.id, purchaseOptionId: 'free' })).body
  const path = `/Operator/Installations/${id}`
  await operator().send(`${path}/Suspend`, { reason: 'Because.' })
  await customer.uninstall(id)
  expect((await operator().send(`${path}/Resume`)).location).toBe(path)
  const { text } = await operator().get(path)
  expect(text).toContain(`${customer.party.name} may install ${app.name} again.`)
  expect(text).not.toContain('was resumed')
})

test('a live installation that is resumed is said to be suspended no more', async () => {
  const { id = '' } = market().demo.installations[0] ?? {}
  const path = `/Operator/Installations/${id}`
  await operator().send(`${path}/Suspend`, { reason: 'Because.' })
  await operator().send(`${path}/Resume`)
  expect((await operator().get(path)).text).toContain('was resumed.')
})
