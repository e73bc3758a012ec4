import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, everything, newId } from '../../../setup/apps.ts'
import { type Answer, untilTaken } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { operatorBrowser, operatorCalls } from '../../../setup/operator.ts'

let market: TestMarketplace
let developer: Author
let other: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  other = await author(market, 1)
  expect((await developer.create(draft('acme', { name: 'Acme Sync' }))).status).toBe(201)
})
afterAll(() => market.close())

const SAME = [
  'Acme Sync',
  'ACME SYNC',
  'acme sync',
  ' Acme Sync',
  'Acme Sync ',
  'Acme Sync\u00a0',
  'Acme  Sync',
  'Acme\u00a0Sync',
  'Acme\u3000Sync',
  'Ａｃｍｅ Ｓｙｎｃ',
  '\ufeffAcme Sync',
  'Acme\ufe0f Sync',
  '𝐀𝐜𝐦𝐞 Sync',
]

describe('names hold nothing that cannot be seen', () => {
  test.each([
    ...['\u200b', '\u200d', '\u2060', '\u00ad', '\u061c', '\u200e', '\u202e', '\u2066', '\ufff9'],
    ...['\ufffc', '\ue000', '\u0378', '\u3164', '\u2800', '\u034f', '\u{e0041}', '\u{10ffff}'],
  ])('%j is refused within one, and its code is told', async (character) => {
    const answer = await developer.create(draft(newId(), { name: `In${character}side` }))
    expectProblem(answer, 'unprocessable')
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    expect(answer.body.errors).toEqual([
      { pointer: '/name', detail: `must not contain invisible characters; it has U+${code}` },
    ])
  })

  test.each(['Acmé ❤️', 'Привет', '東京 Sync', "L'été – №1 ™"])('%j is taken', async (name) => {
    expect((await developer.create(draft(newId(), { name }))).status).toBe(201)
  })

  const NEEDED = ['\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '👨\u200d👩\u200d👧 Family']
  test.each(NEEDED)('but the joiners that %j needs', async (name) => {
    const answer = await developer.create(draft(newId(), { name }))
    expect([answer.status, answer.body.name]).toEqual([201, name])
    // No other app is called so without them.
    const without = name.replaceAll(/[\u200c\u200d]/g, '')
    expectProblem(await other.create(draft(newId(), { name: without })), 'already_exists')
  })

  test('of accounts, developers and users neither', async () => {
    const operator = await operatorCalls(market)
    for (const [path, more] of [
      ['Parties', { type: 'Seller' }],
      ['Developers', {}],
      ['Users', { email: `${newId()}@example.com`, partyIds: [] }],
    ] as const) {
      const answer = await operator('POST', path, { ...more, name: 'Key\u200bline' })
      expectProblem(answer, 'unprocessable')
      expect(pointersOf(answer)).toEqual(['/name'])
      for (const name of NEEDED) {
        const mail = 'email' in more && { email: `${newId()}@example.com` }
        const { status, body } = await operator('POST', path, { ...more, ...mail, name })
        expect([status, body.name]).toEqual([201, name])
      }
    }
  })
})

test('a name that looks like another one is marked for the operator', async () => {
  const name = 'Pr\u0456ce S\u0443nc'
  const { body } = await developer.create(draft(newId(), { name }))
  const operator = await operatorCalls(market)
  const marked = await operator('GET', `Apps/${body.id}`)
  expect(marked.body.nameWarning).toBe('mixes letters of Latin and Cyrillic')
  expect((await operator('GET', 'Apps/acme')).body.nameWarning).toBeNull()
  const browser = await operatorBrowser(market)
  expect((await browser.get(`/Operator/Apps/${body.id}`)).text).toContain(
    'mixes letters of Latin and Cyrillic',
  )
  expect((await browser.get(`/Operator/Apps?q=${body.id}`)).text).toContain('Look-alike name')
  expect((await browser.get('/Operator/Apps/acme')).text).not.toContain('Look-alike name')
})

test.each([
  ['Price-Sync', true],
  ['Price_Sync', true],
  ['PriceSync', true],
  ['Pr1ce\u2011Sync', true],
  ['Price Syncs', false],
])('the name %s is marked beside Price Sync: %s', async (name, isMarked) => {
  const { body } = await developer.create(draft(newId(), { name }))
  const operator = await operatorCalls(market)
  const { nameWarning } = (await operator('GET', `Apps/${body.id}`)).body
  expect(nameWarning).toBe(isMarked ? 'looks like the name of the app Price Sync' : null)
  const [listed] = (await operator('GET', `Apps?q=${body.id}`)).body
  expect(listed.nameWarning).toBe(nameWarning)
  // The older one is what it always was.
  expect((await operator('GET', 'Apps/price-sync')).body.nameWarning).toBeNull()
})

describe('names are unique without regard to case, width and invisible characters', () => {
  test.each(SAME)('%j is Acme Sync: 409 with pointer /name, for anybody', async (name) => {
    for (const one of [developer, other]) {
      const answer = await one.create(draft(newId(), { name }))
      expectProblem(answer, 'already_exists')
      expect(pointersOf(answer)).toEqual(['/name'])
    }
  })

  test.each(['Acme  Sync', 'ACME SYNC\ufe0f'])(
    'renaming to %j is 409, dry run too',
    async (name) => {
      const id = newId()
      await other.create(draft(id))
      for (const answer of [
        await other.put(draft(id, { name })),
        await other.dryRun(draft(id, { name })),
      ]) {
        expectProblem(answer, 'already_exists')
        expect(pointersOf(answer)).toEqual(['/name'])
      }
    },
  )

  test('an app may write its own name otherwise', async () => {
    const id = newId()
    await developer.create(draft(id, { name: 'Old Name' }))
    const answer = await developer.put(draft(id, { name: 'OLD name' }))
    expect([answer.status, answer.body.name]).toEqual([200, 'OLD name'])
  })

  test('a name given up is free, and the app keeps its new one', async () => {
    const id = newId()
    await developer.create(draft(id, { name: 'First Name' }))
    await developer.put(draft(id, { name: 'Second Name' }))
    expect((await other.create(draft(newId(), { name: 'FIRST NAME' }))).status).toBe(201)
    expectProblem(await other.create(draft(newId(), { name: 'SECOND NAME' })), 'already_exists')
  })

  test('different names stay apart', async () => {
    for (const name of ['AcmeSync', 'Acme-Sync', 'Acmé Sync', 'Acme Sync 2']) {
      expect((await developer.create(draft(newId(), { name }))).status).toBe(201)
    }
  })

  test('names of 100 characters that unfold into many are taken', async () => {
    for (const [index, letter] of ['\ufdfa', '\u0390', '㌀', '💥'].entries()) {
      const name = letter.repeat(Math.floor(100 / letter.length) - 1) + index
      expect((await developer.create(draft(newId(), { name }))).status).toBe(201)
    }
  })

  test('id and name both taken: both are named', async () => {
    const answer = await other.create(draft('acme', { name: 'ACME SYNC' }))
    expectProblem(answer, 'already_exists')
    expect(pointersOf(answer)).toEqual(['/id', '/name'])
  })

  test('an id taken: 409 with pointer /id, whoever has it', async () => {
    for (const one of [developer, other]) {
      const answer = await one.create(draft('acme', { name: 'Something else' }))
      expectProblem(answer, 'already_exists')
      expect(pointersOf(answer)).toEqual(['/id'])
    }
  })
})

describe('50 creations at once', () => {
  const PARALLEL = 50
  const numbers = Array.from({ length: PARALLEL }, (_, index) => index)

  async function expectOneWinner(answers: Answer[], pointer: string) {
    const winners = answers.filter(({ status }) => status === 201)
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      201,
      ...Array(PARALLEL - 1).fill(409),
    ])
    for (const answer of answers) {
      if (answer.status === 201) continue
      expectProblem(answer, 'already_exists')
      expect(pointersOf(answer)).toContain(pointer)
    }
    return winners[0]?.body
  }

  test('of one id leave exactly one, whole and unmixed', async () => {
    const id = newId()
    const answers = await Promise.all(
      numbers.map((index) =>
        untilTaken(() =>
          (index % 2 ? developer : other).create(
            draft(id, { name: `Racer ${index}`, description: `${index}`, version: `${index}` }),
          ),
        ),
      ),
    )
    const winner = await expectOneWinner(answers, '/id')
    const owner = winner.developerName === 'Northwind Tools' ? developer : other
    expect((await owner.read(id)).body).toEqual(winner)
    expect((await owner.versions(id)).body).toHaveLength(1)
    expect(winner.version).toBe(winner.description)
  })

  test('of one name leave exactly one; the others leave nothing', async () => {
    const before = JSON.parse((await everything(market)).apps ?? '[]').length
    const names = ['Great Race', 'GREAT RACE', ' great race', 'Great  Race ', 'Ｇreat Race']
    const answers = await Promise.all(
      numbers.map((index) =>
        untilTaken(() =>
          (index % 2 ? developer : other).create(
            draft(newId(), { name: names[index % names.length] as string }),
          ),
        ),
      ),
    )
    await expectOneWinner(answers, '/name')
    const after = await everything(market)
    expect(JSON.parse(after.apps ?? '[]')).toHaveLength(before + 1)
  })
})
