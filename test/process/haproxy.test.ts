import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { hasHaproxy, startHaproxy } from '../setup/haproxy.ts'
import { waitUntil } from '../setup/server-process.ts'

test.skipIf(!hasHaproxy())(
  'HAProxy answers as the servers do, with Retry-After, when no server is ready',
  async () => {
    let ready = true
    const server = createServer((_, response) => response.writeHead(ready ? 200 : 503).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const proxy = await startHaproxy([{ url: `http://127.0.0.1:${port}` }])
    try {
      ready = false
      const answered = () => fetch(`${proxy.url}/v1/Apps`)
      await waitUntil(async () => (await answered()).headers.has('retry-after'))
      const response = await answered()
      expect(response.status).toBe(503)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({ status: 503, code: 'unavailable' })
    } finally {
      await proxy.close()
      server.closeAllConnections()
      server.close()
    }
  },
)
