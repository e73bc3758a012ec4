import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { COMPILE_CACHE } from '../setup/compile-cache.ts'

/** Loads what a server loads, makes the framework ready, and says what is in memory then. */
const PROBE = `
  import { createRequire } from 'node:module'
  import Fastify from 'fastify'
  await import('./src/app.ts')
  await import('./src/start/background.ts')
  await import('./src/start/metrics-server.ts')
  const { loadConfig } = await import('./src/config.ts')
  const { createLogger } = await import('./src/log/logger.ts')
  const { serverOptions } = await import('./src/http/server-options.ts')
  const config = loadConfig({ LOG_LEVEL: 'silent' })
  await Fastify(serverOptions({ config, log: createLogger(config) })).ready()
  const files = Object.keys(createRequire(import.meta.url).cache)
  process.stdout.write(JSON.stringify([...process.moduleLoadList, ...files]))
  process.exit()
`

test('a server loads no HTTP client of Node, no Ajv, and nothing that makes the OpenAPI document', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', PROBE],
    {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE },
      maxBuffer: 10_000_000,
    },
  )
  const loaded: string[] = JSON.parse(stdout)
  expect(loaded.some((name) => name.includes('/node_modules/fastify/'))).toBe(true)
  const unneeded = /undici\/undici$|\/node_modules\/(ajv|@fastify\/swagger)\//
  expect(loaded.filter((name) => unneeded.test(name))).toEqual([])
})
