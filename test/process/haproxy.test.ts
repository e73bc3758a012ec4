import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { AppError } from '../../src/errors.ts'
import { PROBLEM_MEDIA_TYPE, problemOf } from '../../src/http/problem.ts'
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
      expect(response.headers.get('content-type')).toBe(PROBLEM_MEDIA_TYPE)
      expect(response.headers.get('cache-control')).toBe('no-store')
      const requestId = response.headers.get('x-request-id') ?? ''
      expect(requestId).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
      const error = new AppError('unavailable', { detail: 'No server is ready.' })
      const publicUrl = 'http://127.0.0.1:3000'
      expect(await response.json()).toEqual(problemOf(error, { publicUrl, requestId }))
      expect((await answered()).headers.get('x-request-id')).not.toBe(requestId)
      await fetch(`${proxy.url}/invitation?token=of-a-link`)
      await waitUntil(() => proxy.log().includes('/invitation'))
      expect(proxy.log()).toContain(`GET /v1/Apps HTTP/1.1 ${requestId}`)
      expect(proxy.log()).not.toContain('of-a-link')
    } finally {
      await proxy.close()
      server.closeAllConnections()
      server.close()
    }
  },
)
