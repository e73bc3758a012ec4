import { call } from '../../test/setup/client.ts'
import { readDemoFile, serverProcesses } from '../../test/setup/server-process.ts'
import { hiddenFields, webClient } from '../../test/setup/web-client.ts'
import { milliseconds } from './probe.ts'
import type { Trial } from './trial.ts'

/** What was typed into a number field: the last one is as long as a form may be. */
const TYPED = {
  '50,000 digits and a letter': `${'0'.repeat(50_000)}E`,
  '1,000,000 digits and a letter': `${'0'.repeat(1_000_000)}E`,
  '250,000 groups of digits': '1,'.repeat(250_000),
}

export const trial: Trial = {
  title: 'A number typed into a form',
  async run() {
    const processes = serverProcesses()
    try {
      const server = await processes.start()
      await server.ready()
      const demo = readDemoFile(server.dataDir)
      const seller = demo.users.find(({ partyType }) => partyType === 'Seller')
      const installed = demo.installations.find(
        ({ appId, partyId }) => appId === 'price-sync' && partyId === seller?.partyId,
      )
      if (seller === undefined || installed === undefined) throw new Error('the demo is another')
      const browser = webClient(server)
      await browser.login(seller)
      const path = `/Installed/${installed.id}/Settings`
      const form = hiddenFields((await browser.get(path)).text)
      const findings = []
      for (const [name, typed] of Object.entries(TYPED)) {
        const sentAt = performance.now()
        const sent = browser.post(path, { ...form, 's.margin': typed })
        const alive = call(server, 'GET', '/livez').then(() => performance.now() - sentAt)
        const { status } = await sent
        const waited = await alive
        findings.push({
          what: `${name}, while /livez is asked`,
          seen: `${status} after ${milliseconds(performance.now() - sentAt)}, /livez after ${milliseconds(waited)}`,
          target: '422, /livez under 100 ms',
          held: status === 422 && waited < 100,
        })
      }
      await processes.endAll()
      return findings
    } finally {
      await processes.cleanUp()
    }
  },
}
