import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import { type Answer, call } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const ROUNDS = 20
/** On a busy machine the rounds take their time. */
const SLOW = { timeout: 300_000 }

/** A definition in which every part says which one it is. */
const marked = (id: string, version: string, mark: string, extra: object = {}) =>
  draft(id, {
    version,
    description: mark,
    permissions: [{ id: 'products:read', purpose: mark }],
    purchaseOptions: [flat('free', 0, { name: mark }), flat('extra', mark.length)],
    settings: { free: { key: { type: 'text', name: mark } } },
    acknowledgements: [{ id: 'a', title: mark, text: mark }],
    websiteUrl: `https://${mark}.example/`,
    ...extra,
  })

/** Every place of an app that says which definition it came from. */
const marksOf = (app: Answer['body']): string[] => [
  app.description,
  app.permissions[0].purpose,
  app.purchaseOptions.find(({ id }: { id: string }) => id === 'free').name,
  app.settings.free.key.name,
  app.acknowledgements[0].title,
  app.websiteUrl.slice('https://'.length, -'.example/'.length),
]

const expectUnmixed = (app: Answer['body']) => expect(new Set(marksOf(app)).size).toBe(1)

describe(`two PUTs at once, ${ROUNDS} rounds`, SLOW, () => {
  test('with different new versions: one after the other, never a mix', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = newId()
      await developer.create(marked(id, '1', 'start'))
      const answers = await Promise.all([
        developer.put(marked(id, '2a', 'left')),
        developer.put(marked(id, '2b', 'right-one')),
      ])
      for (const { status, body } of answers) {
        expect(status).toBe(200)
        expectUnmixed(body)
      }
      const { body: app, headers } = await developer.read(id)
      expectUnmixed(app)
      expect(answers.map(({ body }) => body)).toContainEqual(app)
      expect(headers.get('etag')).toBe('"3"')
      const { body: versions } = await developer.versions(id)
      expect(versions.map(({ latest }: { latest: boolean }) => latest)).toEqual([
        true,
        false,
        false,
      ])
      expect(versions[0].version).toBe(app.version)
    }
  })

  test('with the same new version and different content: one wins, the other is 409', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = newId()
      await developer.create(marked(id, '1', 'start'))
      const answers = await Promise.all([
        developer.put(marked(id, '2', 'left')),
        developer.put(marked(id, '2', 'right-one')),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const [winner] = answers.filter(({ status }) => status === 200)
      const [loser] = answers.filter(({ status }) => status === 409)
      expectProblem(loser as Answer, 'version_required')
      const { body: app } = await developer.read(id)
      expect(app).toEqual(winner?.body)
      expectUnmixed(app)
      expect((await developer.versions(id)).body).toHaveLength(2)
    }
  })

  test('with one If-Match: one wins, the other is 412', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = newId()
      const created = await developer.create(marked(id, '1', 'start'))
      const headers = { 'if-match': created.headers.get('etag') ?? '' }
      const answers = await Promise.all([
        developer.put(draft(id, { ...marked(id, '1', 'start'), description: 'left' }), headers),
        developer.put(draft(id, { ...marked(id, '1', 'start'), description: 'right' }), headers),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
    }
  })

  test('PUT, terms, List and DELETE at once end in a state that one order explains', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const id = newId()
      await developer.create(marked(id, '1', 'start'))
      const answers = await Promise.all([
        developer.put(marked(id, '2', 'left')),
        developer.putTerms(id, `# Terms ${round}`),
        developer.list(id),
        developer.remove(id),
      ])
      for (const { status } of answers) expect([200, 204, 404]).toContain(status)
      expect(answers[3]?.status).toBe(204)
      expectProblem(await developer.read(id), 'not_found')
      expectProblem(await call(market, 'GET', `/v1/Apps/${id}`), 'not_found')
    }
  })
})

describe('an app that is read while it is changed', SLOW, () => {
  test('is one definition, with the ETag of just that one', async () => {
    const id = newId()
    // Only what the same version may change, so that every PUT rewrites the rows in place.
    const shown = (mark: string) => ({
      ...marked(id, '1', mark),
      acknowledgements: [],
      purchaseOptions: [flat('free', 0, { name: mark })],
    })
    const marks = (app: Answer['body']) =>
      marksOf({ ...app, acknowledgements: [{ title: app.description }] })
    await developer.create(shown('start'))
    await developer.list(id)
    let isDone = false
    const seen = new Map<string, string>()
    const mixed: string[][] = []
    const readers = ['/v1/Developer/Apps/', '/v1/Apps/']
      .flatMap((base) => [base, base])
      .map(async (base) => {
        while (!isDone) {
          const { body, headers } = await call(market, 'GET', base + id, { token: developer.token })
          const found = marks(body)
          if (new Set(found).size > 1) mixed.push(found)
          const etag = `${base}${headers.get('etag')}`
          expect(seen.get(etag) ?? found[0]).toBe(found[0])
          seen.set(etag, found[0] ?? '')
        }
      })
    for (let change = 0; change < 80; change++) {
      expect((await developer.put(shown(`mark-${change}`))).status).toBe(200)
    }
    isDone = true
    await Promise.all(readers)
    expect(mixed).toEqual([])
  })
})

describe('If-Match and ETag', () => {
  test('every change gives another ETag; no change keeps it', async () => {
    const id = newId()
    const etags = [(await developer.create(draft(id))).headers.get('etag')]
    const steps: (() => Promise<Answer>)[] = [
      () => developer.put(draft(id, { description: 'Other' })),
      () => developer.put(draft(id, { description: 'Other', version: '2' })),
      () => developer.list(id),
      () => developer.unlist(id),
      () => developer.putTerms(id, '# Terms'),
      () => developer.putTerms(id, '# Terms', 'text/plain'),
      () => developer.putTerms(id, '# Terms 2', 'text/plain', '?version=3'),
      () => developer.send('DELETE', `/${id}/TermsDocument`),
    ]
    for (const step of steps) {
      expect((await step()).status).toBeLessThan(300)
      etags.push((await developer.read(id)).headers.get('etag'))
    }
    expect(new Set(etags).size).toBe(steps.length + 1)
    await developer.unlist(id)
    await developer.dryRun(draft(id, { description: 'Else', version: '4' }))
    expect((await developer.read(id)).headers.get('etag')).toBe(etags.at(-1))
  })

  test('List and Unlist answer the ETag that the app has then', async () => {
    const id = newId()
    await developer.create(draft(id))
    for (const act of [developer.list, developer.list, developer.unlist]) {
      const answer = await act(id)
      expect(answer.headers.get('etag')).toBe((await developer.read(id)).headers.get('etag'))
      expect(answer.body).toEqual((await developer.read(id)).body)
    }
  })

  test('a stale If-Match is 412 and changes nothing, dry run too; a fresh one is taken', async () => {
    const id = newId()
    const stale = (await developer.create(draft(id))).headers.get('etag') ?? ''
    const second = await developer.put(draft(id, { description: 'Second' }), { 'if-match': stale })
    expect(second.status).toBe(200)
    const third = draft(id, { description: 'Third' })
    expectProblem(await developer.put(third, { 'if-match': stale }), 'precondition_failed')
    expectProblem(
      await developer.send('PUT', `/${id}?dryRun=true`, third, { 'if-match': stale }),
      'precondition_failed',
    )
    expect((await developer.read(id)).body.description).toBe('Second')
    const fresh = { 'if-match': second.headers.get('etag') ?? '' }
    expect((await developer.put(third, fresh)).status).toBe(200)
    expect((await developer.put(draft(id), { 'if-match': '*' })).status).toBe(200)
  })

  test.each([
    '2',
    'W/"2"',
    '"x"',
    '""',
    '"3", W/"2"',
    '"2" "3"',
    '2, "3"',
    '"99999999999999"',
    '"-1"',
  ])('If-Match: %s is 412', async (header) => {
    const id = newId()
    await developer.create(draft(id))
    await developer.put(draft(id, { description: 'Second' }))
    const answer = await developer.put(draft(id), { 'if-match': header })
    expectProblem(answer, 'precondition_failed')
  })

  test.each(['"2", "3"', '"1","2"', 'W/"9", "2"', '"a,b", "2",', ' "2" '])(
    'If-Match: %s names what is there, among others',
    async (header) => {
      const id = newId()
      await developer.create(draft(id))
      await developer.put(draft(id, { description: 'Second' }))
      expect((await developer.put(draft(id), { 'if-match': header })).status).toBe(200)
    },
  )
})
