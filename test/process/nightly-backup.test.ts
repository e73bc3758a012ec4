import { execFile } from 'node:child_process'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Backups, startBackups } from '../setup/backups.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DAY_MS = 86_400_000

let backups: Backups
let directory: string
beforeAll(async () => {
  backups = await startBackups()
  directory = join(backups.directory, 'nightly')
  await mkdir(directory)
  for (const [name, days] of [
    ['marketplace-old.backup', 20],
    ['marketplace-recent.backup', 3],
    ['notes.txt', 20],
  ] as const) {
    await writeFile(join(directory, name), 'x')
    const then = new Date(Date.now() - days * DAY_MS)
    await utimes(join(directory, name), then, then)
  }
})
afterAll(() => backups.close())

const run = (env: Record<string, string>) =>
  promisify(execFile)('sh', ['ops/backup.sh', directory], {
    cwd: ROOT,
    env: { ...process.env, ...backups.env, ...env },
  })

test('a nightly backup that fails forgets no backup from before', async () => {
  const copy = 'echo "no space" >&2; exit 3'
  await expect(run({ COPY_COMMAND: copy })).rejects.toMatchObject({ code: 3 })
  await expect(run({ SECRET_KEY: Buffer.alloc(32, 7).toString('base64') })).rejects.toThrow()
  expect(await readdir(directory)).toContain('marketplace-old.backup')
})

test('a nightly backup is made, restored to check it, copied, and old ones are forgotten', async () => {
  const before = await readdir(directory)
  const away = join(backups.directory, 'away')
  await mkdir(away)
  const { stdout } = await run({ COPY_COMMAND: `cp "$1" '${away}'` })
  expect(stdout).toContain('"secretsDecrypted"')
  const after = await readdir(directory)
  expect(after).not.toContain('marketplace-old.backup')
  expect(after).toEqual(expect.arrayContaining(['marketplace-recent.backup', 'notes.txt']))
  const made = after.filter((name) => !before.includes(name))
  expect(made).toEqual([expect.stringMatching(/^marketplace-\d{8}T\d{6}Z\.backup$/)])
  expect(await readdir(away)).toEqual(made)
})
