import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { operatorConsole } from '../../setup/operator.ts'
import { hiddenFields, mainOf, signedIn } from '../../setup/web-client.ts'

const { market, operator, buyer } = operatorConsole()

const PATH = '/Account/Views'
const LIST = '/Operator/Parties'
const NEW = `${PATH}/New?${new URLSearchParams({ path: LIST, query: 'type=Buyer&sort=-created' })}`

/** Sends the form that names a view. */
async function save(name: string, page = NEW) {
  const { text } = await operator().get(page)
  return operator().submit(`${PATH}/New`, { ...hiddenFields(text), name })
}

test('filters of a list get a name, under which the list shows them again', async () => {
  const filtered = await operator().get(`${LIST}?type=Buyer&sort=-created`)
  expect(filtered.text).toContain(`href="${NEW.replaceAll('&', '&amp;')}"`)
  expect(await save('Buyers first')).toMatchObject({
    status: 303,
    location: `${LIST}?type=Buyer&sort=-created`,
  })
  const list = (await operator().get(LIST)).text
  expect(list).toContain(`href="${LIST}?type=Buyer&amp;sort=-created"><bdi>Buyers first</bdi>`)
  const shown = (await operator().get(`${LIST}?type=Buyer&sort=-created`)).text
  expect(shown).toContain('aria-current="true"><bdi>Buyers first</bdi>')
  expect(shown).not.toContain('Save this view')
  expect((await operator().get('/Operator/Users')).text).not.toContain('Buyers first')
})

test('a list without filters offers nothing to save, and none with a filter that is wrong', async () => {
  expect((await operator().get('/Operator/Users')).text).not.toContain('Save this view')
  const wrong = await operator().get('/Operator/Users?size=7')
  expect(wrong.status).toBe(422)
  expect(wrong.text).not.toContain('Save this view')
})

test('a name is given once for a list, in any case, and stays in the form', async () => {
  await save('Twice')
  const again = await save('TWICE')
  expect(again.status).toBe(409)
  expect(again.text).toContain('You have a view of this list with this name.')
  expect(again.text).toContain('value="TWICE"')
  const nameless = await save(' ')
  expect(nameless.status).toBe(422)
  expect(nameless.text).toContain('Enter a name.')
})

test('of two at once with one name, one is saved', async () => {
  const answers = await Promise.all([save('At once'), save('At once')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409])
})

test('a view is removed by whom it is of, and once', async () => {
  await save('Short-lived')
  const page = (await operator().get(PATH)).text
  const [, after = ''] = page.split('<bdi>Short-lived</bdi>')
  const [, action = ''] = /action="(\/Account\/Views\/[\w-]+\/Remove)"/.exec(after) ?? []
  const stranger = await signedIn(market(), buyer())
  const token = hiddenFields((await stranger.get(PATH)).text)
  expect((await stranger.submit(action, token)).status).toBe(404)
  expect(await operator().submit(action, hiddenFields(page))).toMatchObject({
    status: 303,
    location: PATH,
  })
  expect(mainOf(await operator().get(PATH))).not.toContain('Short-lived')
})

test('an address that is none of this site is not saved', async () => {
  for (const path of ['//evil.example', 'https://evil.example', '/\\evil', '']) {
    const query = new URLSearchParams({ path, query: 'a=b' })
    expect((await operator().get(`${PATH}/New?${query}`)).status).toBe(404)
  }
  const { text } = await operator().get(NEW)
  const sent = { ...hiddenFields(text), path: '//evil.example', name: 'Evil' }
  expect((await operator().submit(`${PATH}/New`, sent)).status).toBeGreaterThanOrEqual(400)
  expect(mainOf(await operator().get(PATH))).not.toContain('Evil')
  expect(
    (await operator().submit(`${PATH}/${randomUUID()}/Remove`, hiddenFields(text))).status,
  ).toBe(404)
})

test('somebody has 50 views at most, and reads why there are no more', async () => {
  const { email } = buyer()
  const { db } = market().deps
  const views = Array.from({ length: 50 }, (_, at) => ({
    ...{ id: randomUUID(), path: LIST, query: `q=${at}`, name: `View ${at}` },
  }))
  await db.user.update({ where: { email }, data: { savedViews: views } })
  const browser = await signedIn(market(), buyer())
  const { text } = await browser.get(NEW)
  const refused = await browser.submit(`${PATH}/New`, { ...hiddenFields(text), name: 'One more' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('You have 50 saved views. Remove one first.')
})
