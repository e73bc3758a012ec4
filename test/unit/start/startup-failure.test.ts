import { lookup } from 'node:dns/promises'
import { expect, test } from 'vitest'
import { startupFailure } from '../../../src/start/startup-failure.ts'

test('a name without an address is that of HOST only where it is the same', async () => {
  const name = 'gone.invalid'
  const error = await lookup(name).catch((failure: unknown) => failure)
  const databaseUrl = `postgresql://marketplace@${name}/marketplace`
  expect(startupFailure(error, { host: name, databaseUrl })).toBe(
    'HOST: the name has no address on this machine.',
  )
  expect(startupFailure(error, { host: '127.0.0.1', databaseUrl })).toMatch(
    /^The database of DATABASE_URL cannot be used just now: .+ Start the server again\.$/,
  )
})
