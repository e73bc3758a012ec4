import { describe, expect, test } from 'vitest'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { signedIn } from '../../setup/web-client.ts'

const { market, operator, buyer } = operatorConsole()

const LISTS = ['Parties', 'Users', 'Developers', 'Apps', 'Installations'] as const

/** The names or addresses of the rows, in their order, over all pages. */
async function rowsFrom(first: string): Promise<string[]> {
  const found: string[] = []
  let path: string | undefined = first
  for (let pages = 0; path !== undefined && pages < 9; pages++) {
    const { status, text } = await operator().get(path)
    expect([path, status]).toEqual([path, 200])
    found.push(
      ...[...text.matchAll(/class="row-name" href="([^"]+)"/g)].map(([, href = '']) => href),
    )
    path = nextOf(text)
  }
  return found
}

const nextOf = (text: string) =>
  /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')

describe('a list of the console', () => {
  test.each(LISTS)(
    '%s is sorted by each of its headings, both ways, over all pages',
    async (list) => {
      if (list === 'Parties') {
        for (let at = 0; at < 45; at++) {
          await createParty(market().deps, { name: `Sorted ${at}`, type: 'Buyer' })
        }
      }
      const { text } = await operator().get(`/Operator/${list}`)
      const orders = [...text.matchAll(/class="sort" href="[^"]*sort=-?(\w+)"/g)].map(
        ([, by]) => by,
      )
      expect(orders.length).toBeGreaterThan(0)
      for (const by of orders) {
        const up = await rowsFrom(`/Operator/${list}?sort=${by}`)
        const down = await rowsFrom(`/Operator/${list}?sort=-${by}`)
        expect(up.length).toBeGreaterThan(1)
        expect(new Set(up).size).toBe(up.length)
        expect([by, down]).toEqual([by, up.toReversed()])
      }
    },
  )

  test('says which heading sorts it, and which way', async () => {
    const usual = (await operator().get('/Operator/Users')).text
    expect(usual).toMatch(/aria-sort="ascending">\s*<a class="sort" href="[^"]*sort=-created"/)
    const down = (await operator().get('/Operator/Users?sort=-email&q=example')).text
    expect(down).toMatch(
      /aria-sort="descending">\s*<a class="sort" href="[^"]*q=example[^"]*sort=email"/,
    )
    expect(down.match(/aria-sort/g)).toHaveLength(1)
    expect(down).toContain('<input type="hidden" name="sort" value="-email">')
  })

  test('refuses an order that it does not have', async () => {
    for (const sort of ['password', '-', 'constructor', 'x'.repeat(300)]) {
      const { status, text } = await operator().get(`/Operator/Users?sort=${sort}`)
      expect([sort, status]).toEqual([sort, 422])
      expect(text).toContain('choose one from the list')
    }
  })

  test('continues no cursor of another order', async () => {
    const next = nextOf((await operator().get('/Operator/Parties?q=Sorted')).text) ?? ''
    expect((await operator().get(next)).status).toBe(200)
    expect((await operator().get(`${next}&sort=-created`)).status).toBe(400)
  })

  test('has as many entries on a page as its address asks for', async () => {
    const path = '/Operator/Parties?q=Sorted'
    const usual = (await operator().get(path)).text
    expect(usual).toContain('href="/Operator/Parties?q=Sorted&amp;size=50">50</a>')
    const namesIn = (text: string) => text.match(/<bdi>Sorted \d+<\/bdi><\/a>/g) ?? []
    expect(namesIn(usual)).toHaveLength(20)
    const large = (await operator().get(`${path}&size=50`)).text
    expect(namesIn(large)).toHaveLength(45)
    expect(large).toContain('size=50" aria-current="true">50</a>')
    const small = (await operator().get(`${path}&size=20`)).text
    const next = nextOf(small) ?? ''
    expect(next).toContain('size=20')
    // A cursor continues a page of any size.
    const rest = (await operator().get(next.replace('size=20', 'size=80'))).text
    expect(new Set([...namesIn(small), ...namesIn(rest)]).size).toBe(45)
  })

  test('refuses a number of entries that is not offered', async () => {
    for (const size of ['0', '-1', '26', '1e9', 'constructor']) {
      const { status, text } = await operator().get(`/Operator/Users?size=${size}`)
      expect([size, status]).toEqual([size, 422])
      expect(text).toContain('choose one from the list')
    }
  })

  test('says how many there are with its filters', async () => {
    expect((await operator().get('/Operator/Parties?q=Sorted')).text).toContain(
      '<p>45 accounts</p>',
    )
    expect((await operator().get('/Operator/Parties?q=Sorted+7')).text).toContain(
      '<p>1 account</p>',
    )
  })

  test('shows the members, apps and connections of an account', async () => {
    const { text } = await operator().get('/Operator/Parties?q=Homewell+Supplies')
    const cells = [...text.matchAll(/data-label="(Members|Apps|Connections)">([^<]*)</g)]
    expect(cells.map(([, label]) => label)).toEqual(['Members', 'Apps', 'Connections'])
    expect(cells.every(([, , count]) => /^\d+$/.test(count ?? ''))).toBe(true)
    expect(cells[0]?.[2]).not.toBe('0')
  })

  test('shows when a user signed in last', async () => {
    await market().deps.auditCounts.write()
    const { text } = await operator().get('/Operator/Users?q=operator')
    expect(text).toMatch(/data-label="Last sign-in"><time datetime="\d{4}-/)
  })
})

describe('a list without entries', () => {
  /** The empty state of a page, without its drawing. */
  const emptyIn = (text: string) =>
    /<div class="empty-state">\s*<svg[^>]*aria-hidden="true">.*?<\/svg>(.*?)<\/div>/s.exec(
      text,
    )?.[1]

  test('that is filtered offers to clear the filters', async () => {
    const { text } = await operator().get('/Operator/Users?q=nobody-at-all')
    expect(emptyIn(text)).toMatch(/No results.*href="\/Operator\/Users">Clear the filters</s)
    const refused = await operator().get('/Operator/Users?suspended=perhaps')
    expect(refused.status).toBe(422)
    expect(emptyIn(refused.text)).toMatch(
      /No results.*href="\/Operator\/Users">Clear the filters</s,
    )
  })

  test('of a record says what would be there, and leads to the way to add it', async () => {
    const { id } = await createParty(market().deps, { name: 'Empty One', type: 'Buyer' })
    const { text } = await operator().get(`/Operator/Parties/${id}`)
    const path = `/Operator/Users/New?partyId=${id}`
    expect(emptyIn(text)).toMatch(/No users yet/)
    expect(emptyIn(text)).toContain(`<a class="button" href="${path}">Create a user</a>`)
    expect(text.match(/class="empty-state"/g)).toHaveLength(3)
  })
})

test('the ways to the other pages of a list are navigation of their own', async () => {
  const { text } = await operator().get('/Operator/Parties?q=Sorted')
  expect(text).toMatch(/<nav class="actions" aria-label="Pages">\s*<a class="button" rel="next"/)
})

describe('the file of a list', () => {
  test.each(LISTS)('%s has a head and a line for each entry of all pages', async (list) => {
    const { status, text, headers } = await operator().get(`/Operator/${list}/Export`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="\w+\.csv"$/)
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toContain('ID')
    expect(lines.length - 1).toBe((await rowsFrom(`/Operator/${list}`)).length)
  })

  test('has the filters and the order of its page', async () => {
    const page = (await operator().get('/Operator/Parties?q=Sorted&sort=-created')).text
    const path = /href="([^"]*\/Export[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const lines = (await operator().get(path)).text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(46)
    expect(lines[1]).toMatch(/^Sorted 44,/)
  })

  test('holds no formula of a name', async () => {
    await createUser(market().deps, { name: '=HYPERLINK("x")', email: 'formula@example.com' })
    const { text } = await operator().get('/Operator/Users/Export?q=formula')
    expect(text).toContain(`"'=HYPERLINK(""x"")"`)
  })

  test('is for operators and refuses what cannot be read', async () => {
    expect((await (await signedIn(market(), buyer())).get('/Operator/Users/Export')).status).toBe(
      404,
    )
    expect((await operator().get('/Operator/Users/Export?sort=x')).status).toBe(422)
    expect((await operator().get('/Operator/Parties/Export?type=x')).status).toBe(422)
  })
})
