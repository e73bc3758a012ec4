import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { call } from '../setup/client.ts'
import { undeclaredPart, withWholeOperations } from '../setup/contract.ts'
import {
  type Answer,
  type Contract,
  closeConnections,
  contractOf,
  endpointsOf,
  send,
} from './fuzz-answers.ts'
import { type Endpoint, type Plan, plansFor } from './fuzz-requests.ts'
import { createStock, type Stock } from './fuzz-stock.ts'
import type { JsonSchema } from './fuzz-values.ts'

/** How many requests a run sends; more of them find rarer faults. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 5_600)
/** A run is repeated by its seed, as far as requests that run side by side can be. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const REFILL_EVERY = 150
const TIMEOUT_MS = 300_000
/** They hash passwords, which is bounded: 503 is what the document promises under load. */
const HASHING =
  /^(create(Developer|User|(Own)?Credential|(Developer|Account|OAuth)Token)|(revoke|introspect)OAuthToken|replaceUserPassword)$/

const COMMITTED = withWholeOperations(
  JSON.parse(readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8')),
)

/** Mails are asked for, and nobody sends them. */
const { smtpUrl, mailFrom } = loadConfig({
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'marketplace@example.com',
})

let market: TestMarketplace
let stock: Stock
let schemas: Record<string, JsonSchema>
let endpoints: Map<string, Endpoint>
const failures = new Map<string, string>()
const statuses = new Map<string, number>()
const succeeded = new Set<string>()
let sent = 0

beforeAll(async () => {
  process.stdout.write(`fuzz: FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}\n`)
  market = await startMarketplace({
    config: { logLevel: 'error', trustProxy: '127.0.0.1', smtpUrl, mailFrom },
    log: (line) => {
      const { reqId, err, code } = JSON.parse(line)
      failures.set(reqId, JSON.stringify({ code, err }))
    },
  })
  stock = await createStock(market)
  const document = withWholeOperations((await call(market, 'GET', '/openapi.json')).body)
  schemas = document.components.schemas
  endpoints = new Map(endpointsOf(document).map((one) => [one.operation.operationId, one]))
})
afterAll(async () => {
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`)
  process.stdout.write(`fuzz: ${sent} requests (${counts.join(', ')})\n`)
  closeConnections()
  await market.close()
})

const operations: string[] = endpointsOf(COMMITTED).map(({ operation }) => operation.operationId)
const runsOfEach = Math.ceil(REQUESTS / operations.length)

const underWay = new Set<Promise<unknown>>()
let refilling: Promise<void> | undefined

/** Nothing is sent meanwhile: it could change the rows that are made right again. */
async function refillAlone(): Promise<void> {
  await Promise.allSettled(underWay)
  await stock.refill()
  refilling = undefined
}

async function answerTo(endpoint: Endpoint, plan: Plan): Promise<Answer> {
  const answer = send(market.url, endpoint, plan, stock)
  underWay.add(answer)
  try {
    return await answer
  } finally {
    underWay.delete(answer)
  }
}

async function exchange(endpoint: Endpoint, contract: Contract, plan: Plan): Promise<void> {
  while (refilling !== undefined) await refilling
  sent += 1
  if (sent % REFILL_EVERY === 0) {
    refilling = refillAlone()
    await refilling
  }
  const answer = await answerTo(endpoint, plan)
  statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1)
  if (answer.status < 300) succeeded.add(endpoint.operation.operationId)
  const { etag, link } = answer.headers
  if (etag !== undefined) stock.keep('etags', etag)
  const [, cursor] = /cursor=([\w-]+)/.exec(String(link)) ?? []
  if (cursor !== undefined) stock.keep('cursors', cursor)
  const problem = contract.problemOf(answer) ?? undeclaredBy(endpoint, answer)
  if (problem === undefined) return
  const logged = failures.get(String(answer.headers['x-request-id'])) ?? ''
  throw new Error(`${answer.status}: ${problem}\n${logged}`)
}

/** Codes and headers, which the schemas of the answers say less about. */
function undeclaredBy({ method, path }: Endpoint, { status, headers, body }: Answer) {
  const names = Object.keys(headers)
  const received = new Headers(names.map((name) => [name, String(headers[name])]))
  const isProblem = received.get('content-type')?.startsWith('application/problem+json')
  const parsed = isProblem ? JSON.parse(body.toString()) : undefined
  const part = undeclaredPart({ method, path }, { status, headers: received, body: parsed })
  return part && `it is not declared: ${part}`
}

describe('whatever is sent, the answer is one that the document declares, and never a failure', () => {
  test.concurrent.each(operations)(
    '%s',
    async (operationId) => {
      const endpoint = endpoints.get(operationId) as Endpoint
      const contract = contractOf(endpoint, schemas, HASHING.test(operationId))
      await fc.assert(
        fc.asyncProperty(plansFor(endpoint, schemas), (plan) => exchange(endpoint, contract, plan)),
        { seed: SEED, numRuns: runsOfEach },
      )
    },
    TIMEOUT_MS,
  )
})

/** Chance may have left one out: on its own, with everything there, it succeeds soon. */
async function untilSuccess(operationId: string) {
  if (succeeded.has(operationId)) return
  const endpoint = endpoints.get(operationId) as Endpoint
  const contract = contractOf(endpoint, schemas, HASHING.test(operationId))
  const plans = fc.sample(plansFor(endpoint, schemas), { seed: SEED, numRuns: 1000 })
  for (const [index, plan] of plans.entries()) {
    if (succeeded.has(operationId)) return
    if (index % 10 === 0) await stock.refill()
    await exchange(endpoint, contract, plan)
  }
}

describe('after all that', () => {
  test('every operation of the live document was tried, with as many requests as asked for', () => {
    expect([...endpoints.keys()].sort()).toEqual([...operations].sort())
    expect(sent).toBeGreaterThanOrEqual(REQUESTS)
  })

  test('every operation has succeeded at least once', async () => {
    for (const one of operations) await untilSuccess(one)
    expect(operations.filter((one) => !succeeded.has(one))).toEqual([])
  })

  test('the requests got past the door: many succeeded', () => {
    const share = (pattern: RegExp) => {
      const found = [...statuses].filter(([status]) => pattern.test(status))
      return found.reduce((sum, [, count]) => sum + count, 0) / sent
    }
    expect(share(/^2/)).toBeGreaterThan(0.2)
    expect(share(/^40[13]/)).toBeLessThan(0.3)
  })

  test('the server still works as before', async () => {
    expect((await call(market, 'GET', '/livez')).status).toBe(200)
    const { clientId, password } = market.demo.developers[0] as {
      clientId: string
      password: string
    }
    market.advance(120)
    const { status } = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
    expect(status).toBe(200)
  })
})
