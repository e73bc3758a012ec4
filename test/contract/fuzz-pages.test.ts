import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { demoInstallation } from '../setup/client.ts'
import { addEndpoint } from '../setup/deliveries.ts'
import { makeOwner } from '../setup/developer-person.ts'
import { setReturnUrl } from '../setup/redirect.ts'
import {
  demoUser,
  hiddenFields,
  OWN_SCRIPT,
  signedIn,
  type WebClient,
  webClient,
} from '../setup/web-client.ts'
import { hostileText } from './fuzz-values.ts'

const REQUESTS = Number(process.env.FUZZ_PAGE_REQUESTS ?? 800)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const TIMEOUT_MS = 300_000

let market: TestMarketplace
let browsers: WebClient[]
/** Of the app price-sync. */
let endpointId: string
const failures: string[] = []
beforeAll(async () => {
  process.stdout.write(`fuzz of pages: FUZZ_SEED=${SEED} FUZZ_PAGE_REQUESTS=${REQUESTS}\n`)
  market = await startMarketplace({
    config: { logLevel: 'error' },
    log: (line) => failures.push(line),
  })
  await setReturnUrl(market, 'price-sync', 'https://app.example/return')
  endpointId = (await addEndpoint(market, { url: 'https://hooks.example.com/' })).id
  await makeOwner(market, demoUser(market, 'Seller'), 0)
  await makeOwner(market, market.demo.operator, 1)
  browsers = [
    webClient(market),
    await signedIn(market, demoUser(market, 'Seller')),
    await signedIn(market, market.demo.operator),
  ]
})
afterAll(() => market.close())

/** Pages have no schema: names that some page knows, and others. */
const names = fc.constantFrom(
  'next',
  'email',
  'password',
  'state',
  'clientId',
  'client_id',
  'partyId',
  'definition',
  'do',
  'revision',
  'reason',
  'document',
  'version',
  'cursor',
  'status',
  'from',
  'to',
  'appId',
  'purchaseOptionId',
  'step',
  'seen',
  'q',
  'suspended',
  'developerId',
  'subjectId',
  'actorId',
  'party',
  'type',
  'name',
  'operator',
  'partnerId',
  'memberId',
  'url',
  'scope',
  'ordered',
  'type.app.listed',
  'headerName.1',
  'headerValue.1',
  'kept.x-key',
  'since',
  'installationId',
)
const pairs = fc.array(fc.tuple(fc.oneof(names, hostileText), hostileText), { maxLength: 4 })
const encode = (text: string) => encodeURIComponent(text.toWellFormed().slice(0, 6_000))

function paths(method: 'GET' | 'POST'): string[] {
  const pages = market.app.routes
    .all()
    .filter(({ audience, url }) => audience === 'browser' || /^\/(docs|assets)/.test(url))
  // Who is signed out sends no further forms.
  const wanted = pages.filter(
    (page) => page.method === method && !/(logout|SignOut)/i.test(page.url),
  )
  return [...new Set(wanted.map(({ url }) => url))]
}

/** An answer that a page may give: no failure, ours to look at, and never somewhere else. */
function expectSound(page: Awaited<ReturnType<WebClient['get']>>): void {
  expect([page.status < 500, failures.splice(0)]).toEqual([true, []])
  expect(page.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(page.text.replace(OWN_SCRIPT, '')).not.toMatch(/<script|onerror=alert\(1\)>/)
  if (page.location === null) return
  const { origin } = new URL(page.location, market.url)
  expect([market.url, 'https://app.example']).toContain(origin)
}

describe('whatever is sent to a page, it answers soundly', () => {
  const plans = fc.record({
    path: fc.nat(1000),
    part: fc.oneof(fc.constantFrom('price-sync', 'stock-watch', 'apps'), hostileText),
    fields: pairs,
    browser: fc.nat(2),
  })
  const installation = () => demoInstallation(market, 'price-sync', 'Seller').id
  const pathOf = (method: 'GET' | 'POST', index: number, part: string) => {
    const all = paths(method)
    return (all[index % all.length] as string)
      .replace(':installationId', part === 'price-sync' ? installation() : encode(part) || 'x')
      .replace(':endpointId', part === 'price-sync' ? endpointId : encode(part) || 'x')
      .replaceAll(/:\w+|\*/g, encode(part) || 'x')
  }

  test(
    'GET',
    async () => {
      await fc.assert(
        fc.asyncProperty(plans, async ({ path, part, fields, browser }) => {
          const query = fields.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
          const address = `${pathOf('GET', path, part)}?${query}`
          expectSound(await (browsers[browser] as WebClient).get(address))
        }),
        { seed: SEED, numRuns: REQUESTS },
      )
    },
    TIMEOUT_MS,
  )

  test(
    'POST with a form of ours',
    async () => {
      const visitor = webClient(market)
      const form = hiddenFields((await visitor.get('/login')).text)
      // A sign-in among the forms begins another session; other forms end it.
      const token = async (user: WebClient, path: string) => {
        const start = path.startsWith('/Developer') ? '/Developer' : '/'
        const own = hiddenFields((await user.get(start)).text)._csrf
        return own ?? hiddenFields((await user.get('/login')).text)._csrf ?? ''
      }
      await fc.assert(
        fc.asyncProperty(plans, async ({ path, part, fields, browser }) => {
          const sent = Object.fromEntries(fields)
          const user = browsers[browser] as WebClient
          const address = pathOf('POST', path, part)
          const page =
            browser === 0
              ? await visitor.post('/login', { ...sent, _csrf: form._csrf ?? '' })
              : await user.post(address, { ...sent, _csrf: await token(user, address) })
          expect(page.status).not.toBe(403)
          expectSound(page)
        }),
        { seed: SEED, numRuns: REQUESTS },
      )
    },
    TIMEOUT_MS,
  )
})
