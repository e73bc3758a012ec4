import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { startupFailure } from '../../../../src/process/start/startup-failure.ts'

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

test('a link-local HOST without its interface is named', async () => {
  const listening = once(createServer().listen({ port: 0, host: 'fe80::1' }), 'listening')
  const error = await listening.catch((failure: unknown) => failure)
  expect(startupFailure(error, { host: 'fe80::1', databaseUrl: undefined })).toMatch(
    /^HOST: .*fe80::1/,
  )
})

test('a limit of open files that is too low is named', () => {
  const error = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' })
  expect(startupFailure(error, undefined)).toMatch(/ulimit -n \d+\.$/)
})
