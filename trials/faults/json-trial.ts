import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../test/setup/client.ts'
import { readDemoFile, serverProcesses } from '../../test/setup/server-process.ts'
import { beside, milliseconds } from './probe.ts'
import type { Finding, Trial } from './trial.ts'

const SECONDS = 10
const CONNECTIONS = 4
/** A text of just under 1 MiB. */
const filled = (unit: string) => `[${unit.repeat(Math.floor(1_048_000 / unit.length))}1]`
const names = (objects: number, count: number) =>
  JSON.stringify(
    Array.from({ length: objects }, (_, object) =>
      Object.fromEntries(Array.from({ length: count }, (_name, at) => [`o${object}k${at}`, 1])),
    ),
  )

/** 1 MiB of JSON, or the dearest body that is parsed at all. */
const BODIES = {
  numbers: filled('1,'),
  'empty objects': filled('{},'),
  'numbers, as many as are parsed': `[${'1,'.repeat(99_990)}1]`,
  'names, as many as are parsed': names(49, 1_000),
  'one long text': JSON.stringify('x'.repeat(1_048_000)),
}

export const trial: Trial = {
  title: 'JSON bodies',
  async run() {
    const processes = serverProcesses()
    try {
      const server = await processes.start({ env: { RATE_LIMIT_PER_MINUTE: '0' } })
      await server.ready()
      const [developer] = readDemoFile(server.dataDir).developers
      if (developer === undefined) throw new Error('the demo has no developer')
      const { clientId, password } = developer
      const signedIn = await call(server, 'POST', '/v1/Auth', { body: { clientId, password } })
      const { token } = signedIn.body as { token: string }
      const findings: Finding[] = []
      const quiet = await beside(server, async () => {}, { connections: 0, seconds: SECONDS })
      for (const [name, text] of Object.entries(BODIES)) {
        const body = Buffer.from(text)
        for (const path of ['/v1/Account/Auth', '/v1/Developer/Apps']) {
          const p99 = await beside(
            server,
            async (isOver) => {
              while (!isOver()) {
                await call(server, 'POST', path, { token, body }).catch(() => sleep(1))
              }
            },
            { connections: CONNECTIONS, seconds: SECONDS },
          )
          findings.push({
            what: `${CONNECTIONS} connections send ${name} to ${path} for ${SECONDS} s`,
            seen: `p99 of /livez ${milliseconds(p99)}, before ${milliseconds(quiet)}`,
            target: 'under 100 ms',
            held: p99 < 100,
          })
        }
      }
      await processes.endAll()
      return findings
    } finally {
      await processes.cleanUp()
    }
  },
}
