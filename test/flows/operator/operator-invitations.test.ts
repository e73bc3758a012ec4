import { describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { accept, newAddress } from '../../setup/people.ts'
import { hiddenFields, mainOf, submitTwice } from '../../setup/web-client.ts'

const { operator, db, seller, aDeveloper, market } = operatorConsole()

const PATH = '/Operator/Invitations'
const invite = (fields: Record<string, string>) =>
  operator().send(PATH, { name: 'Ina Invited', email: newAddress(), ...fields })
const grantsTo = async (email: string) =>
  (await db().linkToken.findFirstOrThrow({ where: { email } })).grants
/** Developers called NAME 1, NAME 2, and so on. */
const developersWhoseNamesBegin = (name: string, count: number) =>
  market().deps.pool.query(
    `WITH sandboxes AS (
       INSERT INTO parties (name, type)
       SELECT $1 || ' ' || n, 'None' FROM generate_series(1, $2::int) n RETURNING id, name)
     INSERT INTO developers (name, sandbox_party_id) SELECT name, id FROM sandboxes`,
    [name, count],
  )

describe('an operator who invites', () => {
  test('names party and developer by their whole names', async () => {
    const { id: developerId, name: developer } = await aDeveloper()
    const { partyId, partyName } = seller()
    const email = newAddress()
    const typed = { email, party: partyName.toUpperCase(), developer: developer.toLowerCase() }
    const { status } = await invite({ ...typed, role: 'member' })
    expect(status).toBe(200)
    expect(await grantsTo(email)).toMatchObject({
      ...{ partyIds: [partyId], developerId, role: 'member' },
    })
  })

  test('names a developer by its ID', async () => {
    const { id: developerId } = await aDeveloper()
    const email = newAddress()
    await invite({ email, developer: developerId.toUpperCase() })
    expect(await grantsTo(email)).toMatchObject({ developerId, role: 'owner' })
  })

  test('names a developer by its whole name, however many names begin with it', async () => {
    await developersWhoseNamesBegin('Crowded', 25)
    const { id: developerId } = await createDeveloper(market().deps, { name: 'Crowded' })
    const email = newAddress()
    expect((await invite({ email, developer: 'cROWDED' })).status).toBe(200)
    expect(await grantsTo(email)).toMatchObject({ developerId })
  })

  test('is offered the developers of one name, and no others, when several have it', async () => {
    await developersWhoseNamesBegin('Twin', 25)
    const twins = []
    for (const name of ['Twin', 'TWIN']) {
      twins.push(await createDeveloper(market().deps, { name }))
    }
    const email = newAddress()
    const { status, text } = await invite({ email, developer: 'twin' })
    expect(status).toBe(422)
    for (const { id, name } of twins) expect(text).toContain(`${name} (${id})`)
    expect(text).not.toMatch(/Twin [^(]+ \(/)
    expect(await db().linkToken.count({ where: { email } })).toBe(0)
  })

  test('is told all problems of the form at once, with what was typed', async () => {
    const typed = { name: '', email: 'dana', party: 'Keyline', developer: 'Northwind' }
    const { status, text } = await invite(typed)
    expect(status).toBe(422)
    for (const field of ['name', 'email', 'party', 'developer']) {
      expect(text).toContain(`id="${field}-error"`)
    }
    expect(text).toContain(`${seller().partyName} (${seller().partyId})`)
    expect(text).toContain('Northwind Tools (')
    expect(text).toContain('value="dana"')
    expect(await db().linkToken.count({ where: { email: 'dana' } })).toBe(0)
  })

  test('sees what each open invitation is for', async () => {
    const { name: developer } = await aDeveloper()
    const { partyName } = seller()
    await invite({ party: partyName, role: 'member' })
    await invite({ developer })
    await invite({ console: 'support' })
    const main = mainOf(await operator().get(PATH))
    expect(main).toContain(`${partyName} as a member`)
    expect(main).toContain(`the developer ${developer} as an owner`)
    expect(main).toContain('the operator console (to look only)')
  })
})

test('the list of open invitations leads to every one', async () => {
  const email = newAddress()
  await invite({ email })
  await market().deps.pool.query(
    `INSERT INTO link_tokens (purpose, email, scope, grants, created_by_kind, expires_at)
     SELECT purpose, 'many-' || n || '@example.com', scope, grants, 'system', expires_at
     FROM link_tokens, generate_series(1, 120) n WHERE email = $1`,
    [email],
  )
  const seen: string[] = []
  for (let path: string | undefined = PATH; path !== undefined; ) {
    const { text }: { text: string } = await operator().get(path)
    seen.push(...[...text.matchAll(/many-\d+@example\.com(?=<\/bdi>)/g)].map(([email]) => email))
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120])
})

test('an address fills in the developer of an invitation, and nothing else', async () => {
  const query =
    'name=Eve%20Example&email=eve%40example.com&console=operator&role=member&developer=x-1'
  const { text } = await operator().get(`${PATH}?${query}`)
  expect(text).toContain('value="x-1"')
  expect(text).not.toMatch(/Eve Example|eve@|value="(operator|member)" selected/)
})

describe('an operator who revokes an invitation', () => {
  const PASSWORD = 'correct horse battery'
  const linkIn = (text: string) => /https?:\/\/[^\s<]+\?token=[\w-]+/.exec(text)?.[0]
  async function openInvitation() {
    const email = newAddress()
    const { text } = await invite({ email })
    const { id } = await db().linkToken.findFirstOrThrow({ where: { email } })
    const { _csrf = '' } = hiddenFields((await operator().get(PATH)).text)
    return { id, link: linkIn(text), path: `${PATH}/${id}/Revoke`, form: { _csrf } }
  }
  const revocations = (subjectId: string) =>
    db().auditEvent.count({ where: { action: 'invitation.revoked', subjectId } })

  test('by two clicks does it once, and reads that it is done', async () => {
    const { id, link, path, form } = await openInvitation()
    const { first, second } = await submitTwice(operator(), path, form)
    expect([first.location, second.location]).toEqual([PATH, PATH])
    expect((await operator().get(PATH)).text).toContain('The invitation was revoked.')
    expect(await revocations(id)).toBe(1)
    expect((await accept(market(), link, PASSWORD)).status).toBe(410)
  })

  test('that was accepted meanwhile does not read that it is revoked', async () => {
    const { id, link, path, form } = await openInvitation()
    expect((await accept(market(), link, PASSWORD)).status).toBe(200)
    expect((await operator().submit(path, form)).location).toBe(PATH)
    const main = mainOf(await operator().get(PATH))
    expect(main).not.toContain('The invitation was revoked.')
    expect(main).toContain('The invitation is not open any more')
    expect(await revocations(id)).toBe(0)
  })
})

test('the audit trail names whom an invitation is for', async () => {
  const email = newAddress()
  const { text } = await invite({ email })
  const link = /https?:\/\/[^\s<]+\?token=[\w-]+/.exec(text)?.[0]
  expect((await accept(market(), link, 'correct horse battery')).status).toBe(200)
  const main = mainOf(await operator().get('/Operator/Audit?subjectKind=invitation'))
  expect(main).toContain(`invited <bdi>${email}</bdi>`)
  expect(main).toContain(`accepted the invitation to <bdi>${email}</bdi>`)
})
