import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createCredential } from '../../../src/identity/accounts/credentials-service.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import {
  findAppId,
  findDeveloperId,
  findParty,
  searchParties,
  searchUsers,
} from '../../../src/web/operator/find-service.ts'
import { author } from '../../setup/apps.ts'
import { developerToken } from '../../setup/client.ts'
import { fullDraft, listedApp, newCustomer } from '../../setup/customer.ts'
import { operatorConsole, operatorWithCode } from '../../setup/operator.ts'
import { signedIn } from '../../setup/web-client.ts'

const { market, operator, db, seller, buyer, userIdOf, aDeveloper } = operatorConsole()

describe('a form of the console', () => {
  test('says what is wrong beside the fields and loses nothing but passwords', async () => {
    const answer = await operator().send('/Operator/Users/New', {
      name: 'Typed & kept',
      email: 'no email',
      password: 'short',
      party: '',
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('There are 2 problems')
    expect(answer.text).toContain('id="email-error"')
    expect(answer.text).toContain('id="password-error"')
    expect(answer.text).toContain('value="Typed &amp; kept"')
    expect(answer.text).toContain('value="no email"')
    expect(answer.text).not.toContain('value="short"')
    expect(await db().user.count({ where: { name: 'Typed & kept' } })).toBe(0)
    const bare = await operator().send('/Operator/Users/New', {
      name: '',
      email: '',
      password: 'x',
    })
    const listed = [...bare.text.matchAll(/<li>\s*<a href="#(\w+)">/g)].map(([, field]) => field)
    expect(listed).toEqual(['name', 'email', 'password'])
  })

  test.each([
    ['a malformed name', { name: '' }, ['name', 'email', 'party', 'password', 'support']],
    ['rules alone', { name: 'Sam' }, ['email', 'party', 'password', 'support']],
  ])('says all that is wrong with a new user at once: %s', async (_, name, wrong) => {
    const { email } = seller()
    const roles = { operator: 'true', support: 'true' }
    const sent = { ...name, ...roles, email, password: 'password1234', party: 'Nobody' }
    const { status, text } = await operator().send('/Operator/Users/New', sent)
    expect(status).toBe(422)
    const listed = [...text.matchAll(/<li>\s*<a href="#(\w+)">/g)].map(([, field]) => field)
    expect(listed).toEqual(wrong)
  })

  test('says of an email in use what it is, also beside a closed account', async () => {
    const { email } = seller()
    const alone = await operator().send('/Operator/Users/New', { name: 'Sam', email })
    expect([alone.status, alone.text]).toEqual([409, expect.stringContaining('in use already')])
    const closed = await db().party.create({
      data: { name: 'Closed', type: 'Buyer', suspendedAt: new Date(), closedAt: new Date() },
    })
    const sent = { name: 'Sam', email, party: String(closed.id) }
    const { status, text } = await operator().send('/Operator/Users/New', sent)
    expect(status).toBe(422)
    expect(text).toContain('id="email-error"')
    expect(text).toContain('id="party-error"')
  })

  test('asks the database for no name that nothing can have', async () => {
    const deps = {
      get db(): never {
        throw new Error('asked the database')
      },
    }
    for (const text of ['', 'x'.repeat(401), 'a\0b']) {
      const nothing = { exact: undefined, similar: [] }
      expect(await searchParties(deps, text, {})).toEqual(nothing)
      expect(await searchUsers(deps, text)).toEqual(nothing)
      for (const find of [findParty, findAppId, findDeveloperId]) {
        await expect(find(deps, text)).rejects.toMatchObject({ code: 'unprocessable' })
      }
    }
    const sent = { name: 'Nul', email: 'nul@nowhere.example', party: 'a\0b' }
    expect((await operator().send('/Operator/Users/New', sent)).status).toBe(400)
    const long = await operator().send('/Operator/Users/New', { ...sent, party: 'x'.repeat(5000) })
    expect(long.status).toBe(422)
    expect(long.text).toContain('No account has this ID or name.')
  })

  test('sent twice makes one party, unless another one of the name is meant', async () => {
    const sent = { name: 'Twice', type: 'Seller' }
    const both = await Promise.all([
      operator().send('/Operator/Parties/New', sent),
      operator().send('/Operator/Parties/New', sent),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(both.find(({ status }) => status === 409)?.text).toContain(
      'Create another account with this name',
    )
    expect(await db().party.count({ where: { name: 'Twice' } })).toBe(1)
    expect(
      (await operator().send('/Operator/Parties/New', { ...sent, again: 'true' })).status,
    ).toBe(303)
    expect(await db().party.count({ where: { name: 'Twice' } })).toBe(2)
  })

  test('sent twice makes one developer', async () => {
    const sent = { name: 'Twice Tools', password: 'correct horse battery' }
    const both = await Promise.all([
      operator().send('/Operator/Developers/New', sent),
      operator().send('/Operator/Developers/New', sent),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 409])
    expect(await db().developer.count({ where: { name: 'Twice Tools' } })).toBe(1)
  })

  test('changes nothing by its extra fields', async () => {
    const { id } = await createParty(market().deps, { name: 'Extra', type: 'Buyer' })
    const before = await db().party.findUniqueOrThrow({ where: { id } })
    const sent = {
      reason: 'Why.',
      id: '1',
      type: 'Seller',
      name: 'Other',
      suspendedAt: '2000-01-01',
    }
    await operator().send(`/Operator/Parties/${id}/Suspend`, sent)
    const { suspendedAt, ...rest } = await db().party.findUniqueOrThrow({ where: { id } })
    expect(rest).toEqual({ ...before, suspendedAt: undefined, suspendedReason: 'Why.' })
    expect(suspendedAt?.getFullYear()).toBeGreaterThan(2000)
  })

  test('takes a reason of several lines, and refuses one that is empty or too long', async () => {
    const path = '/Operator/Apps/stock-watch/Suspend'
    for (const reason of ['', '  ', 'x'.repeat(501)]) {
      expect((await operator().send(path, { reason })).status).toBe(422)
    }
    expect((await operator().send(path, { reason: 'One.\r\nTwo.' })).status).toBe(303)
    const app = await db().app.findUniqueOrThrow({ where: { id: 'stock-watch' } })
    expect(app.suspendedReason).toBe('One.\nTwo.')
    for (let times = 0; times < 2; times++) {
      const { location } = await operator().send('/Operator/Apps/stock-watch/Resume')
      expect(location).toBe('/Operator/Apps/stock-watch')
    }
    expect(await db().auditEvent.count({ where: { action: 'app.resumed' } })).toBe(1)
  })

  test('suspends and resumes an installation, a developer and a user', async () => {
    const developer = await aDeveloper()
    const things: [string, () => Promise<{ suspendedAt: Date | null }>][] = [
      [
        `Installations/${market().demo.installations[0]?.id}`,
        () =>
          db().installation.findUniqueOrThrow({
            where: { id: market().demo.installations[0]?.id ?? '' },
          }),
      ],
      [
        `Developers/${developer.id}`,
        () => db().developer.findUniqueOrThrow({ where: { id: developer.id } }),
      ],
      [
        `Users/${await userIdOf(buyer().email)}`,
        () => db().user.findUniqueOrThrow({ where: { email: buyer().email } }),
      ],
    ]
    for (const [path, read] of things) {
      await operator().send(`/Operator/${path}/Suspend`, { reason: `Because of ${path}.` })
      expect((await read()).suspendedAt).not.toBeNull()
      expect((await operator().get(`/Operator/${path}`)).text).toContain(`Because of ${path}.`)
      await operator().send(`/Operator/${path}/Resume`)
      expect((await read()).suspendedAt).toBeNull()
    }
  })

  test('does not let operators suspend themselves', async () => {
    const id = await userIdOf(market().demo.operator.email)
    const answer = await operator().send(`/Operator/Users/${id}/Suspend`, { reason: 'Oops.' })
    expect([answer.status, answer.text]).toEqual([
      409,
      expect.stringContaining('You cannot suspend yourself'),
    ])
    expect((await operator().get('/Operator')).status).toBe(200)
  })
})

describe('the form of a suspension says who reads the reason', () => {
  const hintAt = async (path: string) => {
    const { text } = await operator().get(`/Operator/${path}/Suspend`)
    return /id="reason-hint">([^<]*)</.exec(text)?.[1]?.replace(/\s+/g, ' ').trim()
  }
  const AT_MOST = 'At most 500 characters.'

  test('of a developer, an app, a party and an installation', async () => {
    const { id: developerId } = await aDeveloper()
    expect(await hintAt(`Developers/${developerId}`)).toBe(
      `Shown to its people and to accounts that have its apps. ${AT_MOST}`,
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

describe('memberships and credentials', () => {
  test('a user leaves a party; twice is once', async () => {
    const id = await userIdOf(buyer().email)
    const memberships = () => db().membership.count({ where: { userId: id } })
    const before = await memberships()
    await db().membership.create({ data: { userId: id, partyId: seller().partyId } })
    const path = `/Operator/Users/${id}/Memberships/${seller().partyId}/Remove`
    expect((await operator().get(path)).text).toContain('from Keyline Electronics')
    for (let times = 0; times < 2; times++) {
      expect((await operator().send(path)).location).toBe(`/Operator/Users/${id}`)
    }
    expect(await memberships()).toBe(before)
    expect((await operator().get(path)).status).toBe(404)
  })

  test('a password that is set ends the sessions; a random one is shown once', async () => {
    const id = await userIdOf(seller().email)
    const user = await signedIn(market(), seller())
    const careful = await (await operatorWithCode(market())).browser()
    const answer = await careful.send(`/Operator/Users/${id}/Password`)
    expect(answer.status).toBe(200)
    const password =
      /<dt>Password<\/dt><dd><bdi><code data-copy>([^<]+)</.exec(answer.text)?.[1] ?? ''
    expect((await user.get('/Installed')).status).toBe(303)
    await signedIn(market(), { email: seller().email, password })
    const { password: old } = seller()
    const chosen = await careful.send(`/Operator/Users/${id}/Password`, { password: old })
    expect(chosen.location).toBe(`/Operator/Users/${id}`)
    await signedIn(market(), seller())
  })

  test('a credential is added, shown once, and removed', async () => {
    const { id } = await aDeveloper()
    const path = `/Operator/Developers/${id}`
    const clientId = `spare-${randomUUID()}`
    const answer = await operator().send(`${path}/Credentials`, { clientId })
    expect(answer.text).toContain(clientId)
    const third = await operator().send(`${path}/Credentials`)
    expect([third.status, third.text]).toEqual([409, expect.stringContaining('at most 2')])
    const made = await db().developerCredential.findUniqueOrThrow({ where: { clientId } })
    const removal = `${path}/Credentials/${made.id}/Remove`
    expect((await operator().get(removal)).text).toContain(clientId)
    for (let times = 0; times < 2; times++) {
      expect((await operator().send(removal)).location).toBe(`${path}`)
    }
    expect((await operator().get(path)).text).not.toContain(clientId)
    await developerToken(market())
  })
})

describe('the page that asks for the removal of a credential', () => {
  const LAST = 'It is the last credential: the developer cannot sign in until it gets another.'

  test('warns before the last one, and only then', async () => {
    const { id } = await createDeveloper(market().deps, { name: randomUUID() })
    const made = await createCredential(market().deps, id, {}, SYSTEM)
    const credentials = await db().developerCredential.findMany({ where: { developerId: id } })
    const removalOf = (credentialId = '') =>
      `/Operator/Developers/${id}/Credentials/${credentialId}/Remove`
    const asked = async (credentialId?: string) => {
      const { status, text } = await operator().get(removalOf(credentialId))
      return [status, text.includes(LAST)]
    }
    for (const credential of credentials) expect(await asked(credential.id)).toEqual([200, false])
    await operator().send(removalOf(made.id))
    // Where it was removed, there is nothing to ask.
    expect(await asked(made.id)).toEqual([404, false])
    const [left] = credentials.filter((one) => one.id !== made.id)
    expect(await asked(left?.id)).toEqual([200, true])
  })

  test('is not there for a credential of nobody, or of another developer', async () => {
    const { id } = await createDeveloper(market().deps, { name: randomUUID() })
    const where = { id: (await aDeveloper()).credentials[0]?.id ?? '' }
    for (const credentialId of [randomUUID(), where.id]) {
      const path = `/Operator/Developers/${id}/Credentials/${credentialId}/Remove`
      expect((await operator().get(path)).status).toBe(404)
      await operator().send(path)
    }
    expect(await db().developerCredential.findUnique({ where })).toMatchObject({ removedAt: null })
  })
})

describe('a removal that is refused', () => {
  test.each([
    ['of a party with installed apps', () => `Parties/${seller().partyId}/Close`, 'live install'],
    [
      'of a developer whose apps are installed',
      async () => `Developers/${(await aDeveloper()).id}/Close`,
      'live install',
    ],
    [
      'of oneself',
      async () => `Users/${await userIdOf(market().demo.operator.email)}/Remove`,
      'You remove yourself on your account page.',
    ],
  ])('%s says why on the page that asks for it', async (_name, pathOf, why) => {
    const path = `/Operator/${await pathOf()}`
    const title = /<h1>.*<\/h1>/.exec((await operator().get(path)).text)?.[0]
    const { status, text } = await operator().send(path)
    expect(status).toBe(409)
    expect(text).toContain(title)
    expect(text).toContain('There is a problem')
    expect(text).toContain(why)
    expect(text).toContain(`action="${path}"`)
  })
})
