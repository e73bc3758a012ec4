import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { call } from '../../test/setup/client.ts'
import { startMailServer } from '../../test/setup/mail-server.ts'
import { readDemoFile, serverProcesses } from '../../test/setup/server-process.ts'
import { rankDistance } from './rank-distance.ts'
import type { Finding, Trial } from './trial.ts'

const PAIRS = Number(process.env.KNOWN_ADDRESS_PAIRS ?? 200)
/** Before the times count: what is compiled and cached first. */
const WARM_UP = 5
/** Both sides alike are further apart once in 1,000 times. */
const DISTANCE_MAX = 3.29
const PER_PARTY = 50
const PER_USER = 5

/** Sends the n-th request about an address, and says what came back. */
type Ask = (email: string, n: number) => Promise<string>

/** Whether the time of an answer tells that an address is a user's. */
export const trial: Trial = {
  title: 'known and unknown addresses',
  async run() {
    const servers = serverProcesses()
    const mails = await startMailServer()
    try {
      const { port } = mails.config.smtpUrl ?? { port: 0 }
      const server = await servers.start({
        env: {
          ...{ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' },
          ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'marketplace@example.com' },
        },
      })
      await server.ready()
      const { operator } = readDemoFile(server.dataDir)
      const known = readDemoFile(server.dataDir).users[0]?.email ?? ''
      const token = await tokenOf(server.url, operator)
      const findings = [
        await compare('a new password', known, passwordReset(server.url)),
        await compare('a sign-in with a wrong password', known, wrongPassword(server.url)),
        await compare('an invitation', known, await invitation(server.url, token)),
        await compare('a new email', known, await emailChange(server.url, token)),
      ]
      await servers.endAll()
      return findings
    } finally {
      await mails.close()
      await servers.cleanUp()
    }
  },
}

/** Asks about an address that is known and one that is not, in pairs whose order changes. */
async function compare(what: string, known: string, ask: Ask): Promise<Finding> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const answers = new Set<string>()
  for (let pair = 0; pair < PAIRS + WARM_UP; pair++) {
    const sides = pair % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)
    for (const [place, side] of sides.entries()) {
      const email = side === 'known' ? known : unknownLike(known)
      const begun = performance.now()
      const answer = await ask(email, 2 * pair + place)
      const ms = performance.now() - begun
      if (pair < WARM_UP) continue
      times[side].push(ms)
      answers.add(answer)
    }
  }
  const distance = rankDistance(times.known, times.unknown)
  const median = (list: number[]) => list.toSorted((a, b) => a - b)[list.length / 2]?.toFixed(2)
  return {
    what: `${what}: ${PAIRS} pairs of a known and an unknown address`,
    seen: `medians ${median(times.known)} and ${median(times.unknown)} ms, z = ${distance.toFixed(2)}; answers: ${[...answers].join(', ')}`,
    target: `|z| of the rank test under ${DISTANCE_MAX}, one answer`,
    held: Math.abs(distance) < DISTANCE_MAX && answers.size === 1,
  }
}

/** As long as the known one. */
function unknownLike(known: string): string {
  return (
    randomUUID().replaceAll('-', '').slice(0, known.indexOf('@')) + known.slice(known.indexOf('@'))
  )
}

/** Each request from an address of its own, so that no budget is spent. */
const from = (n: number) => ({ 'x-forwarded-for': `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}` })

const passwordReset =
  (url: string): Ask =>
  async (email, n) => {
    const options = { body: { email }, headers: from(n) }
    const { status, text } = await call({ url }, 'POST', '/v1/Account/PasswordReset', options)
    return `${status} ${text}`
  }

const wrongPassword =
  (url: string): Ask =>
  async (email, n) => {
    const options = { body: { email, password: 'wrong' }, headers: from(n) }
    return String((await call({ url }, 'POST', '/v1/Account/Auth', options)).status)
  }

/** By admins of accounts, each of which may invite 50 people. */
async function invitation(url: string, operator: string): Promise<Ask> {
  const partyIds: number[] = []
  while (partyIds.length * PER_PARTY < 2 * (PAIRS + WARM_UP)) {
    const body = { name: randomUUID(), type: 'Seller' }
    const made = await call({ url }, 'POST', '/v1/Operator/Parties', { token: operator, body })
    partyIds.push(made.body.id)
  }
  const token = await tokenOf(url, await newUser(url, operator, partyIds))
  return async (email, n) => {
    const path = `/v1/Account/Parties/${partyIds[Math.floor(n / PER_PARTY)]}/Invitations`
    const body = { email, name: 'Ingo Invited', role: 'member' }
    return String((await call({ url }, 'POST', path, { token, body })).status)
  }
}

/** By users who may each ask for five changes. */
async function emailChange(url: string, operator: string): Promise<Ask> {
  const users: { token: string; password: string }[] = []
  while (users.length * PER_USER < 2 * (PAIRS + WARM_UP)) {
    const user = await newUser(url, operator, [])
    users.push({ token: await tokenOf(url, user), password: user.password })
  }
  return async (email, n) => {
    const { token = '', password = '' } = users[Math.floor(n / PER_USER)] ?? {}
    const options = { token, body: { email, password }, headers: from(n) }
    const { status, text } = await call({ url }, 'POST', '/v1/Account/EmailChange', options)
    return `${status} ${text}`
  }
}

async function newUser(url: string, token: string, partyIds: number[]) {
  const body = { email: `${randomUUID()}@example.com`, name: 'Ada Admin', partyIds }
  return (await call({ url }, 'POST', '/v1/Operator/Users', { token, body })).body as {
    email: string
    password: string
  }
}

async function tokenOf(url: string, { email, password }: { email: string; password: string }) {
  const { body } = await call({ url }, 'POST', '/v1/Account/Auth', { body: { email, password } })
  return body.token as string
}
