import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createSecretBox } from '../../src/base/secrets/secret-box.ts'
import { SEAL_BYTES } from '../../src/operation/backup/seal.ts'
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
    expect(refused.stderr).toBe(
      `SECRET_KEY is not set, and ${join(dataDir, 'secret-key')} is missing. A server writes that ` +
        'file at its first start. If one has started here, restore the file, or set SECRET_KEY to ' +
        'its key.\n',
    )
    expect([existsSync(dataDir), existsSync(target)]).toEqual([false, false])
  })

  test('a backup where no server has made a database, and it makes none', async () => {
    const { directory, env } = backups
    const dataDir = join(directory, 'mistyped')
    const refused = await runCli(dataDir, ['backup', join(directory, 'no-database.backup')], {
      env: { SECRET_KEY: env.SECRET_KEY ?? '' },
    })
    expect(refused).toEqual({
      ...{ code: 1, stdout: '' },
      stderr:
        `${dataDir} has no database. Set DATA_DIR to the directory of the server, or ` +
        'DATABASE_URL.\n',
    })
    expect(existsSync(dataDir)).toBe(false)
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
    expect(nowhere.stderr).toBe(
      `The directory ${NO_DIRECTORY} is not there. Make it, or name another one.\n`,
    )
    expect(existsSync(NO_DIRECTORY)).toBe(false)
    const inFile = await runCli(NO_DIRECTORY, ['backup', join(file, 'x')], { env })
    expect(inFile.stderr).toBe(
      `The directory ${file} is not there. Make it, or name another one.\n`,
    )
    const refusing = await runCli(NO_DIRECTORY, ['backup', '/proc/x'], { env })
    expect(refusing).toMatchObject({ code: 1, stdout: '' })
    expect(refusing.stderr).toMatch(/^The backup cannot be written: [^\n]+\n$/)
  })

  test('a backup of a database without a marketplace', async () => {
    const { directory, env, emptyDatabase } = backups
    const empty = { ...env, DATABASE_URL: await emptyDatabase() }
    const refused = await runCli(NO_DIRECTORY, ['backup', join(directory, 'none')], { env: empty })
    expect(refused.stderr).toBe('The database holds no marketplace.\n')
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
  const bytes = (await readFile(file)).subarray(0, -SEAL_BYTES)
  bytes[6] = 16
  await writeFile(theirs, bytes)
  const { code, stderr } = await restoreInto(await emptyDatabase(), theirs)
  expect(code).toBe(1)
  expect(stderr).toContain('Restore one of pg_dump with pg_restore')
})
