import { setTimeout as sleep } from 'node:timers/promises'

/** A request that is sent again and again; one with a body is a POST. */
export type Probe = { path: string; token?: string; body?: unknown }

type Seen = { status: number; ms: number; retryAfter: string | null }

/** A request that has no answer within this time is a failure of its own. */
const GIVEN_UP_MS = 60_000
const PAUSE_MS = 100

/** Sends a request once. A connection that breaks counts as status 0. */
export async function probe({ url }: { url: string }, { path, token, body }: Probe): Promise<Seen> {
  const startedAtMs = performance.now()
  const done = (status: number, retryAfter: string | null = null) => ({
    status,
    ms: performance.now() - startedAtMs,
    retryAfter,
  })
  try {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(GIVEN_UP_MS),
    })
    await answer.arrayBuffer()
    return done(answer.status, answer.headers.get('retry-after'))
  } catch {
    return done(0)
  }
}

/** Each kind of request on 4 connections, one after the other, for so long. */
export async function seen(server: { url: string }, probes: readonly Probe[], ms: number) {
  const answers: Seen[] = []
  const untilMs = performance.now() + ms
  const ask = async (one: Probe) => {
    while (performance.now() < untilMs) {
      answers.push(await probe(server, one))
      await sleep(PAUSE_MS)
    }
  }
  await Promise.all(probes.flatMap((one) => [ask(one), ask(one), ask(one), ask(one)]))
  return {
    count: answers.length,
    statuses: [...new Set(answers.map(({ status }) => status))].sort((a, b) => a - b),
    longestMs: Math.max(...answers.map((answer) => answer.ms)),
    wrong: answers.filter(
      ({ status, retryAfter }) =>
        !(status >= 200 && status < 300) && !(status === 503 && Number(retryAfter) > 0),
    ).length,
  }
}

/** The token that an endpoint answers with. */
export async function mintedToken(
  { url }: { url: string },
  path: string,
  body: unknown,
  bearer?: string,
): Promise<string> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  })
  const { token } = (await answer.json()) as { token?: string }
  if (token === undefined) throw new Error(`${path} answered ${answer.status}`)
  return token
}
