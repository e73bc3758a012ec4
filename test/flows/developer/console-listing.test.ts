import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, draft, newId } from '../../setup/apps.ts'
import { newDeveloper } from '../../setup/console.ts'
import { pictureFile } from '../../setup/hostile-pictures.ts'
import { cookieLine, hiddenFields, type Page, type WebClient } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let client: WebClient
let icon: Buffer
beforeAll(async () => {
  market = await sharedMarketplace()
  const made = await newDeveloper(market)
  developer = made.developer
  client = made.browser.client
  icon = await pictureFile(256, 256)
})

async function newApp(): Promise<string> {
  const id = newId()
  await developer.create(draft(id))
  return id
}
const pathOf = (id: string) => `/Developer/Apps/${id}/Listing`
const recordOf = async (id: string) => (await developer.read(id)).body

/** Sends a form with a file as a browser does, and follows nothing but the way to the form again. */
async function upload(
  path: string,
  fields: Record<string, string | Blob>,
  more: Record<string, string | Blob> = {},
): Promise<Page> {
  const body = new FormData()
  const all = { ...hiddenFields((await client.get(path)).text), ...fields, ...more }
  for (const [name, value] of Object.entries(all)) {
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, 'picture.png')
  }
  const answer = await fetch(market.url + path, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { accept: 'text/html', cookie: cookieLine(market, client.cookies) },
  })
  const location = answer.headers.get('location')
  if (location?.startsWith(`${path}?form=`)) return client.get(location)
  const { status, headers } = answer
  return { status, headers, location, text: await answer.text() }
}
const file = (content: Uint8Array | string) =>
  new Blob([typeof content === 'string' ? content : new Uint8Array(content)])

describe('the page of a listing', () => {
  test('shows what is stored, and takes it as the API does', async () => {
    const id = await newApp()
    const path = pathOf(id)
    const send = async (fields: Record<string, string>) =>
      client.post(path, { ...hiddenFields((await client.get(path)).text), ...fields })
    const saved = await send({
      tagline: ' Prices in step ',
      longDescription: '# What\r\n\r\nIt reads.',
      dataLeavesTo: 'Germany\r\n\r\n France ',
      retentionDays: '30',
      technical: 'Tech@One.example',
    })
    const { body } = await developer.send('GET', `/${id}/Listing`)
    expect(body).toMatchObject({
      tagline: 'Prices in step',
      longDescription: '# What\n\nIt reads.',
      contacts: { technical: 'tech@one.example', billing: null },
      disclosure: { dataLeavesTo: ['Germany', 'France'], retentionDays: 30 },
    })
    expect(saved.text).toContain('was saved.')
    expect(saved.text).toContain('value="Prices in step"')
    const refused = await send({ tagline: '', retentionDays: 'soon', security: 'x' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('There are 3 problems')
    expect((await developer.send('GET', `/${id}/Listing`)).body).toEqual(body)
  })

  test('keeps what was typed when somebody else has saved meanwhile', async () => {
    const id = await newApp()
    const path = pathOf(id)
    const opened = hiddenFields((await client.get(path)).text)
    await developer.send('PUT', `/${id}/Listing`, { tagline: 'Theirs' })
    const answer = await client.post(path, { ...opened, tagline: 'Mine' })
    expect([answer.status, answer.text.includes('value="Mine"')]).toEqual([412, true])
    expect((await recordOf(id)).tagline).toBe('Theirs')
    const again = { ...hiddenFields(answer.text), tagline: 'Mine' }
    expect((await client.post(path, again)).text).toContain('was saved.')
    expect((await recordOf(id)).tagline).toBe('Mine')
  })
})

describe('a picture that is sent from a page', () => {
  test('becomes the icon, and is removed by its button', async () => {
    const id = await newApp()
    const path = `${pathOf(id)}/Icon`
    const sent = await upload(path, { picture: file(icon) })
    expect([sent.status, sent.location]).toEqual([303, pathOf(id)])
    const { icon: stored } = await recordOf(id)
    expect((await client.get(pathOf(id))).text).toContain(`src="${stored.small}"`)
    const form = hiddenFields((await client.get(path)).text)
    expect((await client.submit(`${path}/Remove`, form)).location).toBe(pathOf(id))
    expect((await recordOf(id)).icon).toBeNull()
  })

  test.each([
    ['that is none', '<svg/>', 'The file is no PNG, JPEG or WebP picture.'],
    ['that was not chosen', '', 'Choose a picture.'],
  ])('%s is refused at its field', async (_, content, words) => {
    const id = await newApp()
    const { status, text } = await upload(`${pathOf(id)}/Icon`, { picture: file(content) })
    expect(status).toBe(422)
    expect(text).toContain(words)
    expect(text).toMatch(/type="file"[^>]* aria-invalid="true"/)
    expect((await recordOf(id)).icon).toBeNull()
  })

  test('without the token of its form is refused', async () => {
    const id = await newApp()
    const answer = await upload(`${pathOf(id)}/Icon`, { picture: file(icon) }, { _csrf: 'x' })
    expect(answer.status).toBe(403)
    expect((await recordOf(id)).icon).toBeNull()
  })

  test.each([
    ['no boundary', 'multipart/form-data', '--x\r\n\r\n--x--'],
    ['another boundary', 'multipart/form-data; boundary=y', '--x\r\n\r\n--x--'],
    [
      'no end',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="a"',
    ],
    [
      'no name',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Type: a/b\r\n\r\nx\r\n--x--\r\n',
    ],
    [
      'a long head of a part',
      'multipart/form-data; boundary=x',
      `--x\r\nContent-Disposition: form-data; name="a"\r\n${'A: b\r\n'.repeat(1_000)}\r\n1\r\n--x--\r\n`,
    ],
    [
      'many parts behind what looks like the last one',
      'multipart/form-data; boundary=x',
      `--x--\r\n${'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(60)}--x--\r\n`,
    ],
    ['two boundaries', 'multipart/form-data; a="boundary=x"; boundary=y', '--x\r\n\r\n--x--'],
    ['nothing', 'multipart/form-data; boundary=x', ''],
    ['a huge boundary', `multipart/form-data; boundary=${'x'.repeat(5000)}`, 'x'],
  ])('in a form with %s is no failure of ours', async (_, type, body) => {
    const answer = await fetch(`${market.url}${pathOf(await newApp())}/Icon`, {
      method: 'POST',
      body,
      headers: { 'content-type': type, cookie: cookieLine(market, client.cookies) },
    })
    expect([400, 403]).toContain(answer.status)
  })

  test('in a form of many fields is refused', async () => {
    const id = await newApp()
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, 'x']))
    expect((await upload(`${pathOf(id)}/Icon`, many)).status).toBe(400)
  })

  test('twice, as by a second click, becomes one screenshot', async () => {
    const id = await newApp()
    const path = `${pathOf(id)}/Screenshots`
    const form = hiddenFields((await client.get(path)).text)
    const fields = { ...form, picture: file(await pictureFile(800, 600)), alt: 'Once' }
    const both = await Promise.all([upload(path, fields, form), upload(path, fields, form)])
    expect(both.map(({ status }) => status)).toEqual([303, 303])
    expect((await recordOf(id)).screenshots.length).toBe(1)
  })
})

test('screenshots are described, moved and removed on their pages', async () => {
  const id = await newApp()
  const path = `${pathOf(id)}/Screenshots`
  const picture = file(await pictureFile(800, 600))
  const bare = await upload(path, { picture, alt: ' ' })
  expect([bare.status, bare.text.includes('id="alt"')]).toEqual([422, true])
  for (const alt of ['First', 'Second']) await upload(path, { picture, alt, caption: `${alt}!` })
  const [first, second] = (await recordOf(id)).screenshots
  const page = `${path}/${second.id}`
  const form = hiddenFields((await client.get(page)).text)
  await client.submit(`${page}/Earlier`, form)
  const altsOf = async () => (await recordOf(id)).screenshots.map(({ alt }: { alt: string }) => alt)
  expect(await altsOf()).toEqual(['Second', 'First'])
  await client.submit(`${page}/Later`, form)
  expect(await altsOf()).toEqual(['First', 'Second'])
  const words = { ...hiddenFields((await client.get(page)).text), alt: 'Another', caption: '' }
  expect((await client.post(page, words)).location).toBe(pathOf(id))
  expect(await altsOf()).toEqual(['First', 'Another'])
  await client.submit(`${path}/${first.id}/Remove`, form)
  expect(await altsOf()).toEqual(['Another'])
  // A second click finds it done.
  expect((await client.submit(`${path}/${first.id}/Remove`, { ...form, x: 'y' })).status).toBe(303)
  expect((await client.get(`${path}/${first.id}`)).status).toBe(404)
})
