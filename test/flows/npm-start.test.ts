import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freePort } from '../setup/app.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

test('who ends `npm start` ends the server, not only npm', async () => {
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: database.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Closed when the last process that writes to it has ended.
  const ended = once(npm.stdout, 'close')
  let lines = ''
  for await (const text of npm.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    lines += text
    if (lines.includes('"listening"')) break
  }
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(200)
  npm.kill('SIGTERM')
  npm.stdout.resume()
  await ended
  await expect(fetch(`http://127.0.0.1:${port}/livez`)).rejects.toThrow('fetch failed')
})
