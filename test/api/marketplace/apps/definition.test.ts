import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, flat, newId } from '../../../setup/apps.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { expectRefusedDraft } from '../../../setup/expect-refused-draft.ts'

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const MIB = 2 ** 20
const acknowledgement = (id: string, more: object = {}) => ({ id, title: 't', text: 'x', ...more })

const expectRefused = (changes: Record<string, unknown>, ...pointers: string[]) =>
  expectRefusedDraft(developer, changes, pointers)

describe('creating an app', () => {
  test('answers 201 with the record, its address and its ETag', async () => {
    const id = newId()
    const before = Date.now()
    const { status, headers, body } = await developer.create(draft(id))
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/v1/Developer/Apps/${id}`)
    expect(headers.get('etag')).toBe('"1"')
    expect(body).toEqual({
      ...draft(id),
      purchaseOptions: [flat('free', 0, { description: '' })],
      authReturnUrl: null,
      tokenDelivery: 'token',
      redirectErrors: 'page',
      websiteUrl: null,
      supportUrl: null,
      releaseNotes: '',
      developerName: 'Northwind Tools',
      tagline: '',
      icon: null,
      screenshots: [],
      termsDocument: null,
      listed: false,
      visibility: 'draft',
      suspended: false,
      suspendedReason: null,
      webhooks: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
    expect(Date.parse(body.createdAt)).toBeGreaterThan(before - 60_000)
    const read = await developer.read(id)
    expect([read.body, read.headers.get('etag')]).toEqual([body, '"1"'])
  })

  test('the definition of DESIGN section 11 is taken as it stands', async () => {
    const demo = (await developer.read('price-sync')).body
    expect(demo).toMatchObject({ listed: true, termsDocument: { mediaType: 'text/markdown' } })
    expect(demo.acknowledgements[0].sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  test.each([
    ['no body', undefined, 'unsupported_media_type'],
    ['an array', [], 'invalid_request'],
    ['null', null, 'invalid_request'],
    ['a text', '"x"', 'invalid_request'],
    ['broken JSON', '{"id":', 'invalid_request'],
  ] as const)('with %s is refused', async (_, body, code) => {
    const answer = await developer.create(body)
    expect(answer.status).toBeLessThan(500)
    if (code === 'invalid_request') expectProblem(answer, code)
    else expect([400, 415]).toContain(answer.status)
  })

  test('with nothing names all that is required', async () => {
    const answer = await developer.create({})
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([
      '/id',
      '/name',
      '/partyTypes',
      '/purchaseOptions',
      '/version',
    ])
  })
})

describe('mass assignment', () => {
  const intruders = {
    listed: true,
    developerId: '00000000-0000-0000-0000-000000000000',
    developerName: 'Somebody',
    createdAt: '2020-01-01T00:00:00.000Z',
    updatedAt: '2020-01-01T00:00:00.000Z',
    suspended: false,
    suspendedAt: null,
    deletedAt: null,
    revision: 7,
    nameKey: 'X',
    termsDocument: null,
    webhooks: [],
  }
  const pointers = Object.keys(intruders).map((name) => `/${name}`)

  test('is refused at creation, each with its pointer', async () => {
    const answer = await expectRefused(intruders, ...pointers)
    expectProblem(answer, 'invalid_request')
  })

  test('is refused at replacement, each with its pointer', async () => {
    const id = newId()
    await developer.create(draft(id))
    const answer = await developer.put(draft(id, intruders))
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(pointers.toSorted())
    expect((await developer.read(id)).body.listed).toBe(false)
  })

  test('is refused inside options, permissions and acknowledgements', () =>
    expectRefused(
      {
        purchaseOptions: [flat('free', 0, { appId: 'price-sync' })],
        permissions: [{ id: 'products:read', purpose: 'x', granted: true }],
        acknowledgements: [acknowledgement('a', { sha256: 'x' })],
      },
      '/acknowledgements/0/sha256',
      '/permissions/0/granted',
      '/purchaseOptions/0/appId',
    ))
})

describe('an id', () => {
  test.each(['ab', '3d', 'a-1-b', 'x'.repeat(64)])('%s is taken', async (id) => {
    expect((await developer.create(draft(id, { name: `The app ${id}` }))).status).toBe(201)
  })
  const bad = [
    'a',
    '',
    'A-b',
    'a--b',
    '-ab',
    'ab-',
    'a_b',
    'a b',
    'ä-b',
    'a/b',
    '..',
    'ab\n',
    'x'.repeat(65),
  ]
  test.each(bad)('%j is refused', async (id) => {
    const answer = await developer.create(draft(id, { name: 'Some app' }))
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/id'])
  })
  const reserved = [
    'authenticate',
    'new',
    'api',
    'apps',
    'v1',
    'admin',
    'login',
    'logout',
    'docs',
    'list',
  ]
  test.each(reserved.slice(0, -1))('%s is reserved', async (id) => {
    const answer = await developer.create(draft(id))
    expectProblem(answer, 'unprocessable')
    expect(answer.body.errors).toEqual([{ pointer: '/id', detail: 'is a reserved word' }])
  })
})

describe('limits', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['a name of 101 characters', { name: 'x'.repeat(101) }, ['/name']],
    ['an empty name', { name: ' ' }, ['/name']],
    ['an invisible name', { name: '\u200b' }, ['/name']],
    ['a long name that shows nothing', { name: '\u200b'.repeat(300_000) }, ['/name']],
    ['a name of two lines', { name: 'a\nb' }, ['/name']],
    ['a description of 4,001 characters', { description: 'x'.repeat(4001) }, ['/description']],
    ['no party type', { partyTypes: [] }, ['/partyTypes']],
    ['party type None', { partyTypes: ['None'] }, ['/partyTypes/0']],
    ['a party type twice', { partyTypes: ['Buyer', 'Buyer'] }, ['/partyTypes/1']],
    ['an empty version', { version: '' }, ['/version']],
    ['a version of 65 characters', { version: '1'.repeat(65) }, ['/version']],
    ['a version with surrounding space', { version: ' 1' }, ['/version']],
    ['a version with a tab', { version: '1\t2' }, ['/version']],
    ['a version as number', { version: 1.4 }, ['/version']],
    [
      'an unknown permission',
      { permissions: [{ id: 'product:read', purpose: 'x' }] },
      ['/permissions/0/id'],
    ],
    [
      'a permission without purpose',
      { permissions: [{ id: 'products:read' }] },
      ['/permissions/0/purpose'],
    ],
    [
      '21 acknowledgements',
      { acknowledgements: Array.from({ length: 21 }, (_, index) => acknowledgement(`a${index}`)) },
      ['/acknowledgements'],
    ],
    [
      'an acknowledgement twice',
      { acknowledgements: [acknowledgement('a'), acknowledgement('a')] },
      ['/acknowledgements/1/id'],
    ],
    [
      'an acknowledgement without words',
      { acknowledgements: [acknowledgement('a', { title: ' ', text: '' })] },
      ['/acknowledgements/0/text', '/acknowledgements/0/title'],
    ],
    ['a mail address as support address', { supportUrl: 'mailto:a@b.example' }, ['/supportUrl']],
  ])('%s is refused', async (_, changes, pointers) => {
    await expectRefused(changes, ...pointers)
  })

  test('an unknown permission is answered with the near match', async () => {
    const permissions = [{ id: 'product:read', purpose: 'x' }]
    const { body } = await expectRefused({ permissions }, '/permissions/0/id')
    expect(body.errors[0].detail).toContain('did you mean "products:read"?')
  })

  test('a text of just under 1 MiB is 422, a body over 1 MiB 413', async () => {
    const spare = JSON.stringify(draft(newId(), { description: '' })).length + 10
    await expectRefused({ description: 'x'.repeat(MIB - spare) }, '/description')
    for (const size of [MIB, 3 * MIB]) {
      const answer = await developer.create(draft(newId(), { description: 'x'.repeat(size) }))
      expectProblem(answer, 'payload_too_large')
    }
  })

  const unknown = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, 1]))

  test('900 unknown attributes are answered in short', async () => {
    const answer = await developer.create(draft(newId(), unknown(900)))
    expectProblem(answer, 'invalid_request')
    expect(answer.body.errors).toHaveLength(100)
    expect(answer.body.errors.at(-1).detail).toBe('and 801 more problems')
  })

  test('more attributes than anything has are not looked at', async () => {
    const answer = await developer.create(draft(newId(), { settings: unknown(40_000) }))
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/settings'])
  })

  test('NUL, half a surrogate pair and deep nesting are 400', async () => {
    for (const description of ['a\0b', 'a\ud800']) {
      const answer = await developer.create(JSON.stringify(draft(newId(), { description })))
      expectProblem(answer, 'invalid_request')
      expect(pointersOf(answer)).toEqual(['/description'])
    }
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
    expectProblem(await developer.create(`{"settings":${deep}}`), 'invalid_request')
  })
})
