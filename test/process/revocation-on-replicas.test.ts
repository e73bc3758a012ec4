import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, accountToken, call } from '../setup/client.ts'
import {
  developerTokens,
  installedTokens,
  type Replicas,
  startReplicas,
  tokensOf,
} from '../setup/replicas.ts'
import type { ServerProcess } from '../setup/server-process.ts'

const ROUNDS = 200
/** Requests that run at once while a token is being revoked. */
const STREAMS = 2
const LIST = '/v1/Developer/Installations?limit=1'
const PROFILE = '/v1/User/Profile'

let replicas: Replicas
let developer: string
let operator: string
beforeAll(async () => {
  replicas = await startReplicas()
  developer = await signIn(replicas.one)
  operator = await accountToken(replicas.one, replicas.demo.operator)
})
afterAll(() => replicas.close())

async function signIn(server: ServerProcess): Promise<string> {
  const [first] = replicas.demo.developers
  const body = { clientId: first?.clientId, password: first?.password }
  const answer = await call(server, 'POST', '/v1/Auth', { body })
  expect(answer.status).toBe(200)
  return answer.body.token
}
const act = (method: string, path: string, body?: unknown, token = developer) =>
  call(replicas.one, method, path, { token, ...(body === undefined ? {} : { body }) })
const statusOn = async (server: ServerProcess, path: string, token: string) =>
  (await call(server, 'GET', path, { token })).status

/** The demo's installation of price-sync by a Seller: what the others are copied from. */
function template(): string {
  const found = replicas.demo.installations.find(({ appId }) => appId === 'price-sync')
  if (found === undefined) throw new Error('the demo has no installation of price-sync')
  return found.id
}

type Seen = { startedAt: number; status: number }

/**
 * Streams requests with a token to replica two, revokes it on replica one once it was accepted,
 * and ends when every stream has made a request after the answer.
 *
 * @returns how many requests were accepted before, and those accepted although they were started
 *   after the answer of the revoking call
 */
async function round(path: string, token: string, revoke: () => Promise<Answer>) {
  const seen: Seen[] = []
  const firstAccepted = Promise.withResolvers<void>()
  let answeredAt = Number.POSITIVE_INFINITY
  const stream = async () => {
    for (let startedAt = 0; startedAt < answeredAt; ) {
      startedAt = performance.now()
      const status = await statusOn(replicas.two, path, token)
      seen.push({ startedAt, status })
      if (status === 200) firstAccepted.resolve()
      else if (answeredAt === Number.POSITIVE_INFINITY && status !== 401) {
        firstAccepted.reject(new Error(`answered with ${status}`))
        return
      }
    }
  }
  const streams = Array.from({ length: STREAMS }, stream)
  await firstAccepted.promise
  const { status } = await revoke()
  answeredAt = performance.now()
  expect([200, 204]).toContain(status)
  await Promise.all(streams)
  const later = seen.filter(({ startedAt }) => startedAt >= answeredAt)
  expect(later.length).toBeGreaterThanOrEqual(STREAMS)
  return {
    before: seen.length - later.length,
    accepted: later.filter((one) => one.status !== 401),
  }
}

async function allRounds<Victim extends { token: string }>(
  path: string,
  victims: readonly Victim[],
  revoke: (victim: Victim) => Promise<Answer>,
) {
  let before = 0
  for (const victim of victims) {
    const result = await round(path, victim.token, () => revoke(victim))
    before += result.before
    expect(result.accepted).toEqual([])
  }
  expect(victims).toHaveLength(ROUNDS)
  expect(before).toBeGreaterThanOrEqual(ROUNDS)
}

describe(`of ${ROUNDS} revocations on one replica none lets a later request pass on the other:`, () => {
  const TIMEOUT_MS = 300_000

  test.concurrent('uninstalling', { timeout: TIMEOUT_MS }, async () => {
    const victims = await installedTokens(replicas, template(), ROUNDS)
    await allRounds(PROFILE, victims, ({ installationId }) =>
      act('DELETE', `/v1/Developer/Installations/${installationId}`),
    )
  })

  test.concurrent('suspending', { timeout: TIMEOUT_MS }, async () => {
    const victims = await installedTokens(replicas, template(), ROUNDS)
    await allRounds(PROFILE, victims, ({ installationId }) =>
      act('POST', `/v1/Developer/Installations/${installationId}/Suspend`, { reason: 'x' }),
    )
  })

  test.concurrent('revoking one token', { timeout: TIMEOUT_MS }, async () => {
    const victims = await tokensOf(replicas, template(), ROUNDS)
    await allRounds(PROFILE, victims, ({ token }) =>
      act('POST', '/v1/Developer/Token/Revoke', { token }),
    )
  })

  test.concurrent('removing the credential', { timeout: TIMEOUT_MS }, async () => {
    const victims = await developerTokens(replicas, ROUNDS)
    await allRounds(LIST, victims, ({ developerId, credentialId }) =>
      act(
        'DELETE',
        `/v1/Operator/Developers/${developerId}/Credentials/${credentialId}`,
        undefined,
        operator,
      ),
    )
  })
})

/** Asks for tokens again and again until told to stop. */
function minting(server: ServerProcess, installationId: string) {
  const answers: { startedAt: number; endedAt: number; status: number; token?: string }[] = []
  let isOver = false
  const loop = async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const { status, body } = await call(server, 'POST', '/v1/Developer/Token', {
        token: developer,
        body: { installationId },
      })
      answers.push({ startedAt, endedAt: performance.now(), status, token: body.token })
    }
  }
  const loops = [loop(), loop(), loop()]
  return {
    answers,
    async stop() {
      isOver = true
      await Promise.all(loops)
    },
  }
}

describe('minting on one replica while the other', () => {
  test('uninstalls never yields a token that works', async () => {
    let made = 0
    for (const { installationId } of await installedTokens(replicas, template(), 25)) {
      const mint = minting(replicas.two, installationId)
      while (mint.answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
      const path = `/v1/Developer/Installations/${installationId}`
      expect((await act('DELETE', path)).status).toBe(204)
      const answeredAt = performance.now()
      await mint.stop()
      for (const { startedAt, status, token } of mint.answers) {
        if (startedAt >= answeredAt) expect(status).toBe(403)
        if (token === undefined) continue
        made += 1
        expect(await statusOn(replicas.one, PROFILE, token)).toBe(401)
        expect(await statusOn(replicas.two, PROFILE, token)).toBe(401)
      }
    }
    expect(made).toBeGreaterThan(25)
  })

  test('revokes all tokens: those asked for before are dead, those asked for later live', async () => {
    for (const { installationId } of await installedTokens(replicas, template(), 15)) {
      const mint = minting(replicas.two, installationId)
      while (mint.answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
      const askedAt = performance.now()
      await act('POST', '/v1/Developer/Token/Revoke', { installationId })
      const answeredAt = performance.now()
      while (mint.answers.every(({ startedAt }) => startedAt < answeredAt)) {
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await mint.stop()
      for (const { startedAt, endedAt, token = '' } of mint.answers) {
        const status = await statusOn(replicas.one, PROFILE, token)
        expect(await statusOn(replicas.two, PROFILE, token)).toBe(status)
        if (startedAt >= answeredAt) expect(status).toBe(200)
        if (endedAt <= askedAt) expect(status).toBe(401)
      }
    }
  })
})

test('resuming makes tokens that neither ran out nor were revoked work again, on both replicas', async () => {
  const [victim] = await installedTokens(replicas, template(), 1)
  if (victim === undefined) throw new Error('nothing was installed')
  const path = `/v1/Developer/Installations/${victim.installationId}`
  const [revoked] = await tokensOf(replicas, victim.installationId, 1)
  await act('POST', `${path}/Suspend`, { reason: 'x' })
  // A token may be revoked while its installation is suspended.
  await act('POST', '/v1/Developer/Token/Revoke', { token: revoked?.token })
  await act('POST', `${path}/Resume`)
  for (const server of [replicas.one, replicas.two]) {
    expect(await statusOn(server, PROFILE, victim.token)).toBe(200)
    expect(await statusOn(server, PROFILE, revoked?.token ?? '')).toBe(401)
  }
})
