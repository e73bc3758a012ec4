import fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  asSuperuser,
  cleanUp,
  madeDir,
  modeOf,
  query,
  removeMadeDir,
  start,
} from '../../setup/embedded-postgres.ts'

const MAX_BYTES = 10 * 1024 * 1024
const LOOK_MS = 5_000

afterEach(cleanUp)
afterAll(removeMadeDir)

describe('the log of Postgres', () => {
  const sizeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0

  it('begins anew at a start when it is larger than 10 MiB, and its end is kept', async () => {
    const dataDir = await madeDir()
    const log = join(dataDir, 'postgres.log')
    fs.writeFileSync(log, Buffer.concat([Buffer.alloc(2 * MAX_BYTES), Buffer.from('the end\n')]))
    await start({ dataDir })
    expect(sizeOf(log)).toBeLessThan(100_000)
    const older = fs.readFileSync(`${log}.1`)
    expect([older.length, older.subarray(-8).toString()]).toEqual([MAX_BYTES, 'the end\n'])
  })

  it('is shortened while Postgres runs, which goes on writing to it', async () => {
    const dataDir = await madeDir()
    const log = join(dataDir, 'postgres.log')
    const server = await start({ dataDir })
    for (const _ of [1, 2]) {
      fs.appendFileSync(log, Buffer.alloc(MAX_BYTES + 1))
      await expect.poll(() => sizeOf(log), { timeout: 3 * LOOK_MS }).toBeLessThan(MAX_BYTES)
      expect(sizeOf(`${log}.1`)).toBe(MAX_BYTES)
      expect([modeOf(log), modeOf(`${log}.1`)]).toEqual([0o600, 0o600])
      await query(server, "DO $$ BEGIN RAISE WARNING 'still written'; END $$")
      expect(fs.readFileSync(log, 'utf8')).toContain('still written')
    }
    expect(fs.readdirSync(dataDir).filter((name) => name.startsWith('postgres.log'))).toEqual([
      'postgres.log',
      'postgres.log.1',
    ])
  })

  it('ends also where there is no place for an older one', async () => {
    const dataDir = await madeDir()
    const log = join(dataDir, 'postgres.log')
    fs.writeFileSync(log, Buffer.alloc(2 * MAX_BYTES))
    fs.mkdirSync(`${log}.1`)
    await start({ dataDir })
    expect(sizeOf(log)).toBeLessThan(100_000)
  })

  it('holds no values of rows', async () => {
    const dataDir = await madeDir()
    const server = await start({ dataDir })
    await asSuperuser(server, 'CREATE TABLE people (email text UNIQUE)')
    const twice = asSuperuser(server, "INSERT INTO people VALUES ('ann@x.test'), ('ann@x.test')")
    await expect(twice).rejects.toMatchObject({ code: '23505' })
    const log = fs.readFileSync(join(dataDir, 'postgres.log'), 'utf8')
    expect(log).toContain('people_email_key')
    expect(log).not.toContain('ann@x.test')
  })
})
