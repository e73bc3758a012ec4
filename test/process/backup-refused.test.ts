import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSecretBox } from '../../src/secrets/secret-box.ts'
import { type Backups, NO_DIRECTORY, startBackups, tableNames } from '../setup/backups.ts'
import { runCli } from '../setup/cli.ts'

let backups: Backups
beforeAll(async () => {
  backups = await startBackups()
})
afterAll(() => backups.close())

describe('is refused with a sentence, and changes nothing:', () => {
  test('a restore with another SECRET_KEY, unless the key is SECRET_KEY_PREVIOUS', async () => {
    const { market, made, file, emptyDatabase, restoreInto } = backups
    const url = await emptyDatabase()
    const other = randomBytes(32).toString('base64')
    const refused = await restoreInto(url, file, { SECRET_KEY: other })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(
      `another SECRET_KEY (fingerprint ${JSON.parse(made.stdout).keyFingerprint}`,
    )
    expect(refused.stderr).not.toContain(other)
    expect(await tableNames(url)).toEqual([])
    const rotated = { SECRET_KEY: other, SECRET_KEY_PREVIOUS: market.deps.secretKey }
    expect((await restoreInto(url, file, rotated)).code).toBe(0)
  })

  test('a backup with a SECRET_KEY that is not that of the database', async () => {
    const { directory, env } = backups
    const other = { ...env, SECRET_KEY: randomBytes(32).toString('base64') }
    const target = join(directory, 'other.backup')
    const refused = await runCli(NO_DIRECTORY, ['backup', target], { env: other })
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('SECRET_KEY does not fit the database')
    expect(existsSync(target)).toBe(false)
  })

  test('a backup without the file of the key, and it makes no other key', async () => {
    const { directory } = backups
    const dataDir = join(directory, 'data-without-key')
    const target = join(directory, 'without-key.backup')
    const refused = await runCli(dataDir, ['backup', target])
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain(`${join(dataDir, 'secret-key')} is missing`)
    expect([existsSync(dataDir), existsSync(target)]).toEqual([false, false])
  })

  test('a backup of a second factor that SECRET_KEY does not open', async () => {
    const { market, directory, env } = backups
    const { db } = market.deps
    const other = createSecretBox(randomBytes(32).toString('base64'))
    const { id: userId } = await db.user.findFirstOrThrow()
    const secret = new Uint8Array(other.encrypt(Buffer.from('x'), 'anything'))
    const time = new Date()
    const data = { userId, secret, guessesSince: time, createdAt: time }
    await db.secondFactor.create({ data })
    try {
      const target = join(directory, 'unreadable.backup')
      const refused = await runCli(NO_DIRECTORY, ['backup', target], { env })
      expect(refused.stderr).toContain('SECRET_KEY does not fit the database')
    } finally {
      await db.secondFactor.delete({ where: { userId } })
    }
  })

  test('each command about a database that takes connections and does not answer', async () => {
    const { directory, env, file } = backups
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const frozen = { ...env, DATABASE_URL: `postgresql://m@127.0.0.1:${port}/m` }
    const target = join(directory, 'frozen.backup')
    for (const words of [
      ['backup', target],
      ['backup', 'verify', file],
      ['restore', file],
    ]) {
      const refused = await runCli(NO_DIRECTORY, words, { env: frozen })
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/^The database gives no connection: [^\n]+\.\n$/)
    }
    expect(existsSync(target)).toBe(false)
  })

  test('a restore into a database that is not empty', async () => {
    const { market, restoreInto } = backups
    const refused = await restoreInto(market.databaseUrl)
    expect(refused).toMatchObject({
      code: 1,
      stderr: 'The database is not empty. Restore into a new one.\n',
    })
  })

  test('a backup over an existing file, or where no file can be made', async () => {
    const { file, env } = backups
    const before = await readFile(file)
    const refused = await runCli(NO_DIRECTORY, ['backup', file], { env })
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toContain('is there already')
    expect((await readFile(file)).equals(before)).toBe(true)
    const link = `${file}.link`
    await symlink(join(NO_DIRECTORY, 'x'), link)
    const overLink = await runCli(NO_DIRECTORY, ['backup', link], { env })
    expect(overLink.stderr).toContain('is there already')
    const nowhere = await runCli(NO_DIRECTORY, ['backup', join(NO_DIRECTORY, 'x')], { env })
    expect(nowhere).toMatchObject({ code: 1, stdout: '' })
    expect(nowhere.stderr).toContain('The backup cannot be written')
  })

  test('a backup of a database without a marketplace', async () => {
    const { directory, env, emptyDatabase } = backups
    const empty = { ...env, DATABASE_URL: await emptyDatabase() }
    const refused = await runCli(NO_DIRECTORY, ['backup', join(directory, 'none')], { env: empty })
    expect(refused.stderr).toBe('The database holds no marketplace.\n')
  })

  test('a file that is no backup, is missing, cut off or damaged', async () => {
    const { directory, file, emptyDatabase, restoreInto } = backups
    const bytes = await readFile(file)
    const url = await emptyDatabase()
    const changed = Buffer.from(bytes)
    const middle = Math.floor(bytes.length * 0.9)
    changed.set(
      [1, 2, 3, 4].map((n) => (changed[middle + n] ?? 0) ^ 0xff),
      middle,
    )
    const otherCount = bytes
      .toString('latin1')
      .replace(/"users":(\d)/, (_, digit) => `"users":${digit === '1' ? 2 : 1}`)
    const broken = {
      empty: Buffer.alloc(0),
      text: Buffer.from('PGDMQ and so on'),
      'cut in its head': bytes.subarray(0, 40),
      'cut in its contents': bytes.subarray(0, 9_000),
      'cut in its rows': bytes.subarray(0, -500),
      'cut at its end': bytes.subarray(0, -1),
      longer: Buffer.concat([bytes, Buffer.of(0)]),
      changed,
      'of other counts': Buffer.from(otherCount, 'latin1'),
    }
    for (const [name, content] of Object.entries(broken)) {
      const path = join(directory, 'broken')
      await writeFile(path, content)
      const { code, stderr } = await restoreInto(url, path)
      expect([name, code]).toEqual([name, 1])
      expect(stderr, name).toMatch(/^The (file|backup) [^\n]+\.\n$/)
      expect(await tableNames(url), name).toEqual([])
    }
    const missing = await restoreInto(url, join(directory, 'missing'))
    expect(missing.stderr).toMatch(/^The file .* cannot be read\.\n$/)
  })

  test('a command line without a file, or with two', async () => {
    const { env } = backups
    for (const words of [['restore'], ['restore', 'a', 'b'], ['backup'], ['backup', 'verify']]) {
      expect((await runCli(NO_DIRECTORY, words, { env })).code).toBe(2)
    }
  })
})

test('a backup made by pg_dump is refused with a message that names pg_restore', async () => {
  const { directory, file, emptyDatabase, restoreInto } = backups
  const theirs = join(directory, 'theirs')
  await copyFile(file, theirs)
  const bytes = await readFile(theirs)
  bytes[6] = 16
  await writeFile(theirs, bytes)
  const { code, stderr } = await restoreInto(await emptyDatabase(), theirs)
  expect(code).toBe(1)
  expect(stderr).toContain('Restore one of pg_dump with pg_restore')
})
