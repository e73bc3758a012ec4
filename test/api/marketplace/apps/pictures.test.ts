import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, installedBy, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { newDeveloper } from '../../../setup/console.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { pictureFile } from '../../../setup/hostile-pictures.ts'
import { signedIn, type WebClient, webClient } from '../../../setup/web-client.ts'

let market: SharedMarketplace
let own: Awaited<ReturnType<typeof newDeveloper>>
let developer: Author
let other: Author
let visitor: WebClient
let icon: Buffer
let shot: Buffer
beforeAll(async () => {
  market = await sharedMarketplace()
  own = await newDeveloper(market)
  developer = own.developer
  other = await author(market)
  visitor = webClient(market)
  icon = await pictureFile(256, 256)
  shot = await pictureFile(1280, 800, 'jpeg')
})

const PNG = { 'content-type': 'image/png' }
const JPEG = { 'content-type': 'image/jpeg' }
const putIcon = (id: string, content = icon) => developer.send('PUT', `/${id}/Icon`, content, PNG)
const addShot = (id: string, query = 'alt=A+list+of+prices', content = shot) =>
  developer.send('POST', `/${id}/Screenshots?${query}`, content, JPEG)

async function newApp({ isListed = true } = {}): Promise<string> {
  const id = newId()
  expect((await developer.create(draft(id))).status).toBe(201)
  if (isListed) expect((await developer.list(id)).status).toBe(200)
  return id
}

const publicApp = async (id: string) => (await call(market, 'GET', `/v1/Apps/${id}`)).body
const filesOf = (id: string) => market.deps.db.appPictureFile.count({ where: { pictureId: id } })
const actionsOn = async (id: string) =>
  (
    await market.deps.db.auditEvent.findMany({
      where: { subjectId: id },
      orderBy: { id: 'asc' },
      select: { action: true },
    })
  ).map(({ action }) => action)

describe('the icon of an app', () => {
  test('is a member of its record, and another one is there at once', async () => {
    const id = await newApp()
    expect(await publicApp(id)).toMatchObject({ icon: null, screenshots: [], tagline: '' })
    const { status, body } = await putIcon(id)
    expect([status, body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        small: `/media/${body.id}/64.webp`,
        medium: `/media/${body.id}/128.webp`,
        large: `/media/${body.id}/256.webp`,
      },
    ])
    expect((await publicApp(id)).icon).toEqual(body)
    const second = (await putIcon(id)).body
    expect(second.id).not.toBe(body.id)
    expect((await publicApp(id)).icon).toEqual(second)
    expect((await developer.read(id)).body.icon).toEqual(second)
    const listed = (await call(market, 'GET', `/v1/Apps?q=${id}`)).body
    expect(listed.map((one: { icon: unknown }) => one.icon)).toEqual([second])
    // Nothing of the first one is left.
    expect([await filesOf(body.id), await filesOf(second.id)]).toEqual([0, 3])
  })

  test('keeps the ETag of the definition', async () => {
    const id = await newApp()
    const before = (await developer.read(id)).headers.get('etag')
    await putIcon(id)
    expect((await developer.read(id)).headers.get('etag')).toBe(before)
  })

  test('is removed', async () => {
    const id = await newApp()
    await putIcon(id)
    expect((await developer.send('DELETE', `/${id}/Icon`)).status).toBe(204)
    expect((await publicApp(id)).icon).toBeNull()
    expectProblem(await developer.send('DELETE', `/${id}/Icon`), 'not_found')
  })

  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"/>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['nothing', ''],
    ['JSON', '{"icon": true}'],
  ])('that is %s is 422, whatever it is called, and changes nothing', async (_, content) => {
    const id = await newApp()
    await putIcon(id)
    const before = (await publicApp(id)).icon
    for (const type of ['image/png', 'image/svg+xml', 'application/octet-stream']) {
      const headers = { 'content-type': type }
      expectProblem(await developer.send('PUT', `/${id}/Icon`, content, headers), 'unprocessable')
    }
    expect((await publicApp(id)).icon).toEqual(before)
  })

  test('that is not sent at all is 422', async () => {
    const id = await newApp()
    expectProblem(await developer.send('PUT', `/${id}/Icon`), 'unprocessable')
    expectProblem(await developer.send('POST', `/${id}/Screenshots?alt=x`), 'unprocessable')
  })

  test('of more than 5 MiB is 413', async () => {
    const id = await newApp()
    const large = Buffer.concat([icon, Buffer.alloc(5 * 2 ** 20)])
    expectProblem(await putIcon(id, large), 'payload_too_large')
  })

  test('is shown by pages in place of the pattern', async () => {
    const id = await newApp()
    const path = `/Apps/${id}`
    expect((await visitor.get(path)).text).toContain('<svg class="tile face')
    const { body } = await putIcon(id)
    for (const page of [path, `/Apps?q=${id}`, `/Search?q=${id}`]) {
      expect((await visitor.get(page)).text).toContain(`src="${body.small}"`)
    }
  })
})

describe('screenshots', () => {
  test('come in the order in which they were added, with their words', async () => {
    const id = await newApp()
    const first = await addShot(id, 'alt=First&caption=One')
    expect([first.status, first.body]).toEqual([
      201,
      {
        id: expect.any(String),
        alt: 'First',
        caption: 'One',
        width: 1280,
        height: 800,
        small: `/media/${first.body.id}/640.webp`,
        full: `/media/${first.body.id}/full.webp`,
      },
    ])
    const second = (await addShot(id, 'alt=Second')).body
    expect(second.caption).toBe('')
    expect((await publicApp(id)).screenshots).toEqual([first.body, second])
    const { text } = await visitor.get(`/Apps/${id}`)
    expect(text).toMatch(
      /<img src="[^"]+" [^>]*alt="First"\s+width="1280" height="800" loading="lazy">/,
    )
    expect(text).toContain('<figcaption dir="auto">One</figcaption>')
  })

  test.each([
    ['', '/alt'],
    ['alt=', '/alt'],
    ['alt=%20%E2%80%8B', '/alt'],
    [`alt=${'x'.repeat(201)}`, '/alt'],
    ['alt=a%0Ab', '/alt'],
    [`alt=x&caption=${'x'.repeat(201)}`, '/caption'],
    ['alt=x&alt=y', '/alt'],
    ['alt=x&more=1', '/more'],
  ])('with the query "%.20s" are 400', async (query, pointer) => {
    const answer = await addShot(await newApp(), query)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test('are put into an order, which names each once', async () => {
    const id = await newApp()
    const ids: string[] = []
    for (const alt of ['a', 'b', 'c']) ids.push((await addShot(id, `alt=${alt}`)).body.id)
    const [a, b, c] = ids as [string, string, string]
    const order = (body: unknown) => developer.send('PUT', `/${id}/Screenshots/Order`, body)
    expect((await order([c, a, b])).body.map((one: { alt: string }) => one.alt)).toEqual([
      ...['c', 'a', 'b'],
    ])
    expect((await publicApp(id)).screenshots.map((one: { id: string }) => one.id)).toEqual([
      c,
      a,
      b,
    ])
    for (const wrong of [[], [a, b], [a, b, c, c], [a, a, b], [a, b, randomUUID()]]) {
      expectProblem(await order(wrong), 'unprocessable')
    }
    expectProblem(await order({ ids: [] }), 'invalid_request')
    expectProblem(await order(['x']), 'unprocessable')
    expect((await publicApp(id)).screenshots[0].id).toBe(c)
  })

  test('change their words, and go', async () => {
    const id = await newApp()
    const { id: shotId } = (await addShot(id, 'alt=Old&caption=Kept')).body
    const path = `/${id}/Screenshots/${shotId}`
    const changed = await developer.send('PATCH', path, { alt: 'New' })
    expect([changed.status, changed.body.alt, changed.body.caption]).toEqual([200, 'New', 'Kept'])
    expect((await developer.send('PATCH', path, { caption: '' })).body.caption).toBe('')
    expectProblem(await developer.send('PATCH', path, { alt: '' }), 'unprocessable')
    expectProblem(await developer.send('PATCH', path, { alt: 1 }), 'invalid_request')
    expectProblem(await developer.send('PATCH', path, { place: 1 }), 'invalid_request')
    expect((await developer.send('DELETE', path)).status).toBe(204)
    expectProblem(await developer.send('DELETE', path), 'not_found')
    expect((await publicApp(id)).screenshots).toEqual([])
  })

  test('are eight at most, also when two come at once', async () => {
    const id = await newApp()
    const small = await pictureFile(640, 100)
    for (let count = 0; count < 7; count += 1) {
      expect((await addShot(id, `alt=${count}`, small)).status).toBe(201)
    }
    const last = await Promise.all([addShot(id, 'alt=x', small), addShot(id, 'alt=y', small)])
    expect(last.map(({ status }) => status).sort()).toEqual([201, 409])
    expectProblem(await addShot(id, 'alt=z', small), 'conflict')
    expect((await publicApp(id)).screenshots.length).toBe(8)
  })
})

describe('all pictures of a developer', () => {
  const MAX = 100 * 2 ** 20
  test('have 100 MiB at most, also when two come at once', async () => {
    const one = await newDeveloper(market)
    const ids = [newId(), newId()] as const
    for (const id of ids) await one.developer.create(draft(id))
    const send = (id: string, alt: string) =>
      one.developer.send('POST', `/${id}/Screenshots?alt=${alt}`, shot, JPEG)
    const { id } = (await send(ids[0], 'first')).body
    const stored = await market.deps.db.appPicture.findUniqueOrThrow({ where: { id } })
    const fill = (bytes: number) =>
      market.deps.db.appPicture.update({ where: { id }, data: { bytes } })
    // Room for one more.
    await fill(MAX - stored.bytes)
    const answers = await Promise.all([send(ids[0], 'a'), send(ids[1], 'b')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    // An icon takes the place of the one before.
    await fill(1)
    const put = () => one.developer.send('PUT', `/${ids[0]}/Icon`, icon, PNG)
    const before = (await put()).body
    const { bytes } = await market.deps.db.appPicture.findUniqueOrThrow({
      where: { id: before.id },
    })
    const { _sum } = await market.deps.db.appPicture.aggregate({
      where: { developerId: one.id },
      _sum: { bytes: true },
    })
    await fill(MAX - (_sum.bytes ?? 0) + 1)
    expect((await put()).status).toBe(200)
    await fill(MAX - (_sum.bytes ?? 0) + 1 + bytes)
    expectProblem(await put(), 'unprocessable')
  })
})

describe('an app of another developer', () => {
  test('is 404, and its pictures are', async () => {
    const id = await newApp()
    const { id: shotId } = (await addShot(id)).body
    const foreign = [
      await other.send('PUT', `/${id}/Icon`, icon, PNG),
      await other.send('DELETE', `/${id}/Icon`),
      await other.send('POST', `/${id}/Screenshots?alt=x`, shot, JPEG),
      await other.send('PATCH', `/${id}/Screenshots/${shotId}`, { alt: 'x' }),
      await other.send('DELETE', `/${id}/Screenshots/${shotId}`),
      await other.send('PUT', `/${id}/Screenshots/Order`, [shotId]),
      await developer.send('PATCH', `/${await newApp()}/Screenshots/${shotId}`, { alt: 'x' }),
      await developer.send('DELETE', `/${await newApp()}/Screenshots/${shotId}`),
      await developer.send('PATCH', `/${id}/Screenshots/nothing`, { alt: 'x' }),
      await developer.send('PUT', '/none-such/Icon', icon, PNG),
    ]
    for (const answer of foreign) expectProblem(answer, 'not_found')
    expect((await publicApp(id)).screenshots[0].alt).toBe('A list of prices')
  })
})

describe('a picture is served', () => {
  test('as WebP that no browser takes for anything else', async () => {
    const id = await newApp()
    const { small } = (await putIcon(id)).body
    const answer = await fetch(market.url + small)
    const content = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, content.toString('latin1', 8, 12)]).toEqual([200, 'WEBP'])
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=86400, s-maxage=600, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-site',
      etag: expect.stringMatching(/^"[0-9a-f-]{36}-64"$/),
    })
    expect(answer.headers.get('set-cookie')).toBeNull()
    const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await fetch(market.url + small, { headers })).status).toBe(304)
    expect((await fetch(market.url + small, { method: 'HEAD' })).status).toBe(200)
  })

  test('in the sizes that there are', async () => {
    const id = await newApp()
    const { id: pictureId } = (await putIcon(id)).body
    const paths = ['full', '640', '65', '64.png', '..%2f64', '%00'].map(
      (size) => `/media/${pictureId}/${size}.webp`,
    )
    const others = [`/media/${randomUUID()}/64.webp`, '/media/x/64.webp', `/media/${pictureId}/64`]
    for (const path of [...paths, ...others]) {
      expect((await fetch(market.url + path)).status, path).toBe(404)
    }
  })

  test('to whoever can see the app, and to nobody else', async () => {
    const id = await newApp()
    const { small } = (await putIcon(id)).body
    const customer = await newCustomer(market)
    await installedBy(market, id, customer.party.id)
    const stranger = await newCustomer(market)
    const clients = {
      nobody: visitor,
      stranger: await signedIn(market, stranger.user),
      customer: await signedIn(market, customer.user),
      owner: own.browser.client,
      operator: await signedIn(market, market.demo.operator),
    }
    const seen = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(clients).map(async ([who, client]) => {
            const { status, headers } = await client.get(small)
            return [who, status === 200 ? headers.get('cache-control') : status]
          }),
        ),
      )
    const all = (policy: string | number) =>
      Object.fromEntries(Object.keys(clients).map((who) => [who, policy]))
    const PRIVATE = 'private, max-age=600, immutable'
    expect(await seen()).toEqual(all('public, max-age=86400, s-maxage=600, immutable'))
    await developer.unlist(id)
    expect(await seen()).toEqual(all('public, max-age=86400, s-maxage=600, immutable'))
    await developer.send('PUT', `/${id}/Visibility`, { visibility: 'draft' })
    const hidden = { ...all(PRIVATE), nobody: 404, stranger: 404 }
    expect(await seen()).toEqual(hidden)
    await developer.list(id)
    await market.deps.db.app.update({ where: { id }, data: { suspendedAt: new Date() } })
    expect(await seen()).toEqual(hidden)
  })

  test('not any more when its app is deleted; nothing of it is kept', async () => {
    const id = await newApp()
    const { id: pictureId, small } = (await putIcon(id)).body
    const { id: shotId } = (await addShot(id)).body
    await developer.send('PUT', `/${id}/Listing`, { tagline: 'Gone' })
    expect((await developer.remove(id)).status).toBe(204)
    expect((await fetch(market.url + small)).status).toBe(404)
    expect([await filesOf(pictureId), await filesOf(shotId)]).toEqual([0, 0])
    expect(await market.deps.db.appPicture.count({ where: { appId: id } })).toBe(0)
    expect(await market.deps.db.appListing.count({ where: { appId: id } })).toBe(0)
  })
})

test('each change of pictures is in the audit trail', async () => {
  const id = await newApp()
  await putIcon(id)
  const first = (await addShot(id, 'alt=a')).body.id
  const second = (await addShot(id, 'alt=b')).body.id
  const path = `/${id}/Screenshots`
  await developer.send('PUT', `${path}/Order`, [second, first])
  await developer.send('PATCH', `${path}/${first}`, { alt: 'c' })
  // What is so already is no change.
  await developer.send('PUT', `${path}/Order`, [second, first])
  await developer.send('PATCH', `${path}/${first}`, { alt: 'c' })
  await developer.send('DELETE', `${path}/${first}`)
  await developer.send('DELETE', `/${id}/Icon`)
  expect((await actionsOn(id)).slice(2)).toEqual([
    'app.icon_changed',
    'app.screenshot_added',
    'app.screenshot_added',
    'app.screenshots_ordered',
    'app.screenshot_changed',
    'app.screenshot_removed',
    'app.icon_removed',
  ])
})
