import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../setup/client.ts'
import { installedTokens, type Replicas, startReplicas } from '../setup/replicas.ts'

let replicas: Replicas
beforeAll(async () => {
  replicas = await startReplicas()
})
afterAll(() => replicas.close())

const stored = async (installationId: string) => {
  const { rows } = await replicas.deps.pool.query(
    'SELECT permission, requests::int FROM usage_days WHERE installation_id = $1 ORDER BY 1',
    [installationId],
  )
  return rows
}

test('what two servers counted adds up when they end', async () => {
  const { one, two, demo } = replicas
  const like = demo.installations.find(({ appId }) => appId === 'price-sync')?.id ?? ''
  const victims = await installedTokens(replicas, like, 3)
  for (const { token } of victims) {
    for (const server of [one, two, one]) {
      expect((await call(server, 'GET', '/v1/Products', { token })).status).toBe(200)
      expect((await call(server, 'GET', '/v1/User/Profile', { token })).status).toBe(200)
    }
  }
  const ends = await Promise.all([one.end(), two.end()])
  expect(ends).toEqual(Array(2).fill({ code: 0, signal: null }))
  for (const { installationId } of victims) {
    expect(await stored(installationId)).toEqual([
      { permission: 'products:read', requests: 3 },
      { permission: 'profile:read', requests: 3 },
    ])
  }
})
