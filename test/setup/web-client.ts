import type { Demo } from '../../src/process/demo/demo-file.ts'
import { pageCookieName } from '../../src/web/requests/page-cookies.ts'
import type { SharedMarketplace } from './app.ts'

export type Page = { status: number; headers: Headers; text: string; location: string | null }

/**
 * What a browser does without its looks: keeps cookies, fills forms, and follows nothing but the
 * way from a form to the page that shows it again.
 */
export type WebClient = {
  /** By their names without what a server by http puts around them. */
  cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Page>
  /** Sends a form and follows nothing; an array gives its field more than once. */
  submit: SendForm
  /** Sends a form, and opens the page that shows it again if that is the answer. */
  post: SendForm
  /** Opens the login page, fills it in and sends it. */
  login(user: { email: string; password: string }, next?: string): Promise<Page>
}

type SendForm = (
  path: string,
  fields: Record<string, string | string[]>,
  headers?: Record<string, string>,
) => Promise<Page>

/** Not compressed: most of the time of a page would be that. Browsers' tests have pages compressed. */
const PAGE = { accept: 'text/html,application/xhtml+xml', 'accept-encoding': 'identity' }

export function webClient(market: Site): WebClient {
  const { url } = market
  const cookies = new Map<string, string>()
  const send = async (path: string, init: RequestInit): Promise<Page> => {
    const answer = await fetch(url + path, { ...init, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) keep(cookies, line)
    const { status, headers } = answer
    return { status, headers, text: await answer.text(), location: headers.get('location') }
  }
  const ownHeaders = () => ({
    ...PAGE,
    ...(cookies.size > 0 && {
      cookie: cookieLine(market, cookies),
    }),
  })
  const client: WebClient = {
    cookies,
    get: (path, headers = {}) => send(path, { headers: { ...ownHeaders(), ...headers } }),
    submit(path, fields, headers = {}) {
      const body = new URLSearchParams()
      for (const [name, value] of Object.entries(fields)) {
        for (const one of [value].flat()) body.append(name, one)
      }
      return send(path, { method: 'POST', body, headers: { ...ownHeaders(), ...headers } })
    },
    async post(path, fields, headers = {}) {
      const answer = await client.submit(path, fields, headers)
      const [target, query = ''] = answer.location?.split('?') ?? []
      const isAgain = target === path.split('?')[0] || /^form=/.test(query)
      return answer.location !== null && isAgain ? client.get(answer.location) : answer
    },
    async login({ email, password }, next = '/') {
      const page = await client.get(`/login?next=${encodeURIComponent(next)}`)
      return client.post('/login', { ...hiddenFields(page.text), email, password })
    },
  }
  return client
}

/** A client that is signed in. */
export async function signedIn(
  market: Site,
  user: { email: string; password: string },
): Promise<WebClient> {
  const client = webClient(market)
  const answer = await client.login(user)
  if (answer.status !== 303) throw new Error(`the sign-in was refused: ${answer.status}`)
  return client
}

/**
 * Sends a form twice, as by a second click before the page of the first answer is there.
 *
 * @param answer what the browser does with the first one: it drops all of it, or takes its cookies
 */
export async function submitTwice(
  client: WebClient,
  path: string,
  form: Record<string, string>,
  answer: 'dropped' | 'taken' = 'dropped',
): Promise<{ first: Page; second: Page }> {
  const cookies = new Map(client.cookies)
  const first = await client.submit(path, form)
  if (answer === 'dropped') {
    client.cookies.clear()
    for (const [name, value] of cookies) client.cookies.set(name, value)
  }
  return { first, second: await client.submit(path, form) }
}

/** A client in which the owner of a developer is signed in: of the n-th of the demo. */
export function signedInDeveloper(
  market: Site & Pick<SharedMarketplace, 'demo'>,
  index = 0,
): Promise<WebClient> {
  return signedIn(market, demoDeveloper(market, index).person)
}

/** The n-th developer of the demo. */
export function demoDeveloper(
  { demo }: Pick<SharedMarketplace, 'demo'>,
  index = 0,
): Demo['developers'][number] {
  const developer = demo.developers[index]
  if (developer === undefined) throw new Error('the demo has no such developer')
  return developer
}

/** The one script of ours, on every page. */
export const OWN_SCRIPT =
  /<script src="\/assets\/[a-z-]+\.js\?v=[0-9a-f]{12}"( defer)?><\/script>\n/g

/** The main part of a page, without header and title. */
export function mainOf({ text }: Pick<Page, 'text'>): string {
  return text.split('<main')[1] ?? ''
}

/** The hidden fields of a page's forms, `_csrf` among them. */
export function hiddenFields(document: string): Record<string, string> {
  const fields = document.matchAll(/<input\s+type="hidden"\s+name="([^"]*)"\s+value="([^"]*)">/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, unescapeHtml(value ?? '')]))
}

/** The demo user of a party type; of the n-th when there are several. */
export function demoUser(
  { demo }: Pick<SharedMarketplace, 'demo'>,
  partyType: 'Buyer' | 'Seller' | 'None',
  index = 0,
): Demo['users'][number] {
  const user = demo.users.filter((one) => one.partyType === partyType)[index]
  if (user === undefined) throw new Error(`the demo has no such ${partyType}`)
  return user
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#13;', '\r')
    .replaceAll('&amp;', '&')
}

type Site = Pick<SharedMarketplace, 'url'> & {
  deps?: { config: Pick<SharedMarketplace['deps']['config'], 'publicUrl'> }
}

/** The `Cookie` header with the cookies of a client. */
export function cookieLine(market: Site, cookies: Iterable<[string, string]>): string {
  const site = { deps: market.deps ?? { config: { publicUrl: market.url } } }
  return [...cookies]
    .map(([name, value]) =>
      name.startsWith('__Host-') ? `${name}=${value}` : `${pageCookieName(site, name)}=${value}`,
    )
    .join('; ')
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
  const name = pair.slice(0, pair.indexOf('=')).replace(/^marketplace_(.*?)(_\d+)?$/, '$1')
  const expires = attributes.find((one) => /^expires=/i.test(one))?.slice('expires='.length)
  const isGone =
    attributes.some((one) => /^max-age=0$/i.test(one)) ||
    (expires && Date.parse(expires) <= Date.now())
  if (isGone) cookies.delete(name)
  else cookies.set(name, pair.slice(pair.indexOf('=') + 1))
}
