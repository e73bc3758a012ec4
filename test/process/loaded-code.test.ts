import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { COMPILE_CACHE } from '../setup/compile-cache.ts'

/** Loads what a server loads, makes the framework ready, and says what is in memory then. */
const PROBE = `
  import { createRequire, registerHooks } from 'node:module'
  const modules = []
  registerHooks({
    load(url, context, next) {
      modules.push(url)
      return next(url, context)
    },
  })
  const { default: Fastify } = await import('fastify')
  await import('./src/app.ts')
  await import('./src/process/start/runtime.ts')
  await import('./src/process/start/background.ts')
  await import('./src/process/start/metrics-server.ts')
  const { loadConfig } = await import('./src/config.ts')
  const { createLogger } = await import('./src/base/log/logger.ts')
  const { serverOptions } = await import('./src/http/server-options.ts')
  const config = loadConfig({ LOG_LEVEL: 'silent' })
  await Fastify(serverOptions({ config, log: createLogger(config) })).ready()
  const files = Object.keys(createRequire(import.meta.url).cache)
  process.stdout.write(JSON.stringify([...process.moduleLoadList, ...files, ...modules]))
  process.exit()
`

/** What a server loads when it is first needed, if ever. */
const UNNEEDED = [
  /undici\/undici$/,
  /\/node_modules\/(ajv|@fastify\/swagger)\//,
  /\/node_modules\/(@prometheus-io\/client|openid-client|jose|markdown-it|nodemailer)\//,
  /\/node_modules\/csv-parse\/.*sync/,
  /\/src\/operation\/embedded-postgres\/embedded-postgres\.ts$/,
]

test('a server loads no HTTP client, no Ajv, and no code of what nobody asked for yet', async () => {
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
  expect(loaded.some((name) => name.endsWith('/src/process/start/runtime.ts'))).toBe(true)
  expect(loaded.filter((name) => UNNEEDED.some((code) => code.test(name)))).toEqual([])
})
