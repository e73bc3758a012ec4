import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, waitUntil } from '../../test/setup/server-process.ts'
import { workersOf } from '../../test/setup/workers.ts'
import type { Finding, Trial } from './trial.ts'
import { startWebhookMarket } from './webhook-market.ts'

const KILLS = Number(process.env.WORKER_KILLS ?? 50)
/** A worker that dies again and again is started later each time: so another server goes on. */
const KILLS_OF_A_SERVER = 5
const PER_SECOND = 100
const WORKERS = 2
const GIVE_UP_MS = 10_000
/** Requests of each of these come in between two kills. */
const PAUSE_MS = 500

type Seen = { answered: number; broken: number; unanswered: number; longestMs: number }

/** Workers are killed one at a time while each request comes on a connection of its own. */
export const trial: Trial = {
  title: 'worker-kill',
  async run() {
    const market = await startWebhookMarket([])
    try {
      const seen: Seen = { answered: 0, broken: 0, unanswered: 0, longestMs: 0 }
      for (let kills = 0; kills < KILLS; kills += KILLS_OF_A_SERVER) {
        const server = await market.startServer({ WORKERS: String(WORKERS) })
        const load = requestsOn(server, seen)
        for (let n = 0; n < KILLS_OF_A_SERVER; n++) {
          await sleep(PAUSE_MS)
          const workers = workersOf(server)
          const victim = workers[n % WORKERS]
          if (victim === undefined) throw new Error('the server has no worker to be killed')
          process.kill(victim, 'SIGKILL')
          await waitUntil(() => listenedAgain(server) === n + 1)
        }
        await load.stop()
        await server.end()
      }
      return [found(seen)]
    } finally {
      await market.close()
    }
  },
}

/** How many workers listened after one had died. */
function listenedAgain(server: ServerProcess): number {
  return server.stdout().match(/another worker listens/g)?.length ?? 0
}

function requestsOn(server: ServerProcess, seen: Seen) {
  const underWay = new Set<Promise<void>>()
  const timer = setInterval(() => {
    const one = requestOnce(server, seen).finally(() => underWay.delete(one))
    underWay.add(one)
  }, 1_000 / PER_SECOND)
  return {
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

function requestOnce({ url }: ServerProcess, seen: Seen): Promise<void> {
  const beganAtMs = performance.now()
  const signal = AbortSignal.timeout(GIVE_UP_MS)
  return new Promise((resolve) => {
    const end = (how: 'answered' | 'broken' | 'unanswered') => {
      seen[how] += 1
      if (how === 'answered') {
        seen.longestMs = Math.max(seen.longestMs, performance.now() - beganAtMs)
      }
      resolve()
    }
    const asked = request(`${url}/livez`, { agent: false, signal }, (answer) => {
      answer.resume().on('end', () => end('answered'))
      answer.on('error', () => end('broken'))
    })
    asked.on('error', () => end(signal.aborted ? 'unanswered' : 'broken')).end()
  })
}

function found({ answered, broken, unanswered, longestMs }: Seen): Finding {
  return {
    what: `kill -9 of one of ${WORKERS} workers ${KILLS} times under ${PER_SECOND} new connections a second`,
    seen: `${answered} answered (longest ${(longestMs / 1000).toFixed(1)} s), ${broken} broken off at once, ${unanswered} without an answer after ${GIVE_UP_MS / 1000} s`,
    target: `none without an answer, at most ${KILLS} broken off`,
    held: unanswered === 0 && broken <= KILLS,
  }
}
