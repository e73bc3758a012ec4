import { createSigner } from 'fast-jwt'
import { deriveKey } from '../../src/base/secrets/secret-box.ts'
import { cursorsFor } from '../../src/base/values/cursors.ts'
import { pageCookieName } from '../../src/web/requests/page-cookies.ts'
import type { Dataset } from './dataset.ts'
import type { Load } from './driver.ts'

const LIMIT = 100
const RANDOM_PAGES = 10_000
const DISTINCT_TOKENS = 8

/** One comparison: the load on the product and the one on what it is compared with. */
export type Scenario = {
  name: string
  against: string
  /** The least ratio that is good enough; for `time` the greatest. */
  target: number | undefined
  /** `rate`: requests/s of ours by theirs; `time`: our time for a request by theirs. */
  measure: 'rate' | 'time'
  /** How long until all that the load runs through is compiled, as far as others have not done so. */
  warmUpSeconds?: number
  product: Omit<Load, 'seconds'>
  rival: Omit<Load, 'seconds'>
  /** Headers of the product's load that must be read anew before each round. */
  freshHeaders?: () => Promise<Record<string, string>>
  /** Runs beside the product's load. */
  beside?: Omit<Load, 'seconds'> | undefined
}

export type Targets = { productUrl: string; rivalUrl: string; jwtSecret: string }

type Paths = { product: string[]; rival: string[] }

/** Prepares tokens and addresses, then says what is measured. */
export async function planScenarios(
  dataset: Dataset,
  { productUrl, rivalUrl, jwtSecret }: Targets,
): Promise<Scenario[]> {
  const developer = await developerToken(productUrl, dataset)
  const tokens = await Promise.all(
    Array.from({ length: DISTINCT_TOKENS }, () =>
      mint(productUrl, developer, dataset.installationId),
    ),
  )
  const rivalTokens = [
    createSigner({ key: jwtSecret })({ sub: dataset.installationId, party_id: dataset.partyId }),
  ]
  const firstPage = `/v1/Products?limit=${LIMIT}`
  const ours = { url: productUrl, tokens }
  const theirs = { url: rivalUrl, tokens: rivalTokens }
  const on = (connections: number) => ({
    product: { ...ours, url: productUrl + firstPage, connections },
    rival: { ...theirs, url: rivalUrl + firstPage, connections },
  })
  const pages = (paths: Paths, connections = 16) => ({
    product: { ...ours, connections, paths: paths.product },
    rival: { ...theirs, connections, paths: paths.rival },
  })
  const { productCount } = dataset
  const anywhere = pathsAt(dataset, positions(50_000, 0, productCount - 2 * LIMIT))
  const atTheStart = pathsAt(dataset, positions(20_000, 0, productCount * 0.05))
  const deep = pathsAt(dataset, positions(20_000, productCount * 0.9, productCount - 2 * LIMIT))
  const random = pathsAt(dataset, positions(RANDOM_PAGES, 0, productCount - 2 * LIMIT))
  const mintBody = (id: string) => JSON.stringify({ installationId: id })
  const mints = dataset.installationIds.map((id) => mintRequest('/v1/Developer/Token', id))
  const signs = dataset.installationIds.map((id) => mintRequest('/sign', id))
  const developerHeaders = { authorization: `Bearer ${developer}` }
  const minting = (connections: number) => ({
    product: { url: productUrl, connections, headers: developerHeaders, requests: mints },
    rival: { url: rivalUrl, connections, requests: signs },
  })
  const sessionCookie = pageCookieName({ deps: { config: { publicUrl: productUrl } } }, 'session')
  const opens = dataset.sessionCookies.map((cookie) => ({
    method: 'GET',
    path: `/Apps/Authenticate/${dataset.appId}?state=s`,
    headers: { cookie: `${sessionCookie}=${cookie}` },
  }))
  const opening = (connections: number) => ({
    product: { url: productUrl, connections, requests: opens },
    rival: minting(connections).product,
  })
  const installations = '/v1/Developer/Installations?limit=100'
  const scenarios: Scenario[] = [
    {
      name: 'hot page, 16 connections',
      against: 'baseline',
      target: undefined,
      measure: 'rate',
      warmUpSeconds: 3,
      ...on(16),
    },
    {
      name: 'hot page, 64 connections',
      against: 'baseline',
      target: undefined,
      measure: 'rate',
      ...on(64),
    },
    {
      name: 'hot page of the ceiling',
      against: 'constant bytes',
      target: 0.52,
      measure: 'rate',
      product: on(64).product,
      rival: { url: `${rivalUrl}/constant`, connections: 64 },
    },
    {
      name: 'cold page, 16 connections',
      against: 'baseline',
      target: 1.5,
      measure: 'rate',
      warmUpSeconds: 8,
      ...pages(anywhere),
    },
    {
      name: 'cold page, 64 connections',
      against: 'baseline',
      target: 1.8,
      measure: 'rate',
      ...pages(anywhere, 64),
    },
    {
      name: 'deep page',
      against: 'time of the first pages',
      target: 1.2,
      measure: 'time',
      product: pages(deep).product,
      rival: pages(atTheStart).product,
    },
    { name: 'random pages', against: 'baseline', target: 1.5, measure: 'rate', ...pages(random) },
    {
      name: '304',
      against: 'hot page',
      target: 1,
      measure: 'rate',
      product: on(16).product,
      // Other scenarios write.
      freshHeaders: async () => ({
        'if-none-match': await etagOf(productUrl + firstPage, String(tokens[0])),
      }),
      rival: on(16).product,
    },
    {
      name: 'mint, 16 connections',
      against: 'signing alone',
      target: 0.5,
      measure: 'rate',
      warmUpSeconds: 3,
      ...minting(16),
    },
    {
      name: 'mint, 64 connections',
      against: 'signing alone',
      target: 0.65,
      measure: 'rate',
      ...minting(64),
    },
    {
      name: 'redirect, 16 connections',
      against: 'mint',
      target: 0.5,
      measure: 'rate',
      warmUpSeconds: 3,
      ...opening(16),
    },
    {
      name: 'redirect, 64 connections',
      against: 'mint',
      target: 0.5,
      measure: 'rate',
      ...opening(64),
    },
    {
      name: 'own installation',
      against: 'baseline',
      target: 1.8,
      measure: 'rate',
      product: { ...ours, url: `${productUrl}/v1/Installation`, connections: 16 },
      rival: { ...theirs, url: `${rivalUrl}/v1/Installation`, connections: 16 },
    },
    {
      name: 'installations list',
      against: 'baseline product page',
      target: 0.9,
      measure: 'rate',
      warmUpSeconds: 3,
      product: { url: productUrl + installations, connections: 16, headers: developerHeaders },
      rival: on(16).rival,
    },
    {
      name: 'hot page beside a login flood',
      against: 'baseline without one',
      target: undefined,
      measure: 'rate',
      ...on(16),
      beside: loginFlood(productUrl),
    },
  ]
  if (await takesWrites(productUrl, String(tokens[0]), dataset)) {
    const requests = mix(dataset, firstPage)
    scenarios.push({
      name: 'hot page with 1% writes',
      against: 'baseline',
      target: 3,
      measure: 'rate',
      product: { ...ours, connections: 16, requests },
      rival: { ...theirs, connections: 16, requests },
    })
  }
  return scenarios

  function mintRequest(path: string, id: string) {
    const headers = { 'content-type': 'application/json' }
    return { method: 'POST', path, body: mintBody(id), headers }
  }
}

/** Offsets in the catalogue, drawn evenly. */
function positions(count: number, from: number, to: number): number[] {
  return Array.from({ length: count }, () => Math.floor(from + Math.random() * (to - from)))
}

/** The pages that begin at these offsets, as each server names them. */
function pathsAt({ secretKey, installationId, firstProductId }: Dataset, at: number[]): Paths {
  const scope = ['products', installationId, '']
  const cursors = cursorsFor([deriveKey(secretKey, 'cursors').toString('base64url')], scope)
  const idAt = (offset: number) => firstProductId - 1 + offset
  return {
    product: at.map((n) => `/v1/Products?limit=${LIMIT}&cursor=${cursors.encode([idAt(n)])}`),
    rival: at.map((n) => `/v1/Products?limit=${LIMIT}&after=${idAt(n)}`),
  }
}

async function post(url: string, body: unknown, token?: string) {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as { token: string }
}

async function developerToken(url: string, { developer }: Dataset): Promise<string> {
  const { clientId, password } = developer
  return (await post(`${url}/v1/Auth`, { clientId, password })).token
}

async function mint(url: string, token: string, installationId: string): Promise<string> {
  return (await post(`${url}/v1/Developer/Token`, { installationId }, token)).token
}

/** Tokens of these installations of the benchmark's app. */
export async function mintAll(
  url: string,
  dataset: Dataset,
  installationIds: readonly string[],
): Promise<string[]> {
  const developer = await developerToken(url, dataset)
  return Promise.all(installationIds.map((id) => mint(url, developer, id)))
}

async function etagOf(url: string, token: string): Promise<string> {
  const { headers } = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  })
  return String(headers.get('etag'))
}

/** Wrong passwords from one address, most of which are refused before they are hashed. */
function loginFlood(productUrl: string): Omit<Load, 'seconds'> {
  return {
    url: `${productUrl}/v1/Auth`,
    method: 'POST',
    connections: 8,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId: 'nobody', password: 'wrong password' }),
  }
}

const patchOf = (productId: number, inStock: number) => ({
  method: 'PATCH',
  path: `/v1/Products/${productId}`,
  body: JSON.stringify({ inStock }),
  headers: { 'content-type': 'application/json' },
})

async function takesWrites(url: string, token: string, dataset: Dataset): Promise<boolean> {
  const { path, ...init } = patchOf(dataset.firstProductId, 1)
  const headers = { ...init.headers, authorization: `Bearer ${token}` }
  return (await fetch(url + path, { ...init, headers })).ok
}

function mix({ firstProductId }: Dataset, page: string) {
  return Array.from({ length: 500 }, (_, n) =>
    n % 100 === 99 ? patchOf(firstProductId + n, n) : { method: 'GET', path: page },
  )
}
