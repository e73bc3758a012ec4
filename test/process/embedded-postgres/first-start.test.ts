import fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startEmbeddedPostgres } from '../../../src/operation/embedded-postgres/embedded-postgres.ts'
import {
  asSuperuser,
  cleanUp,
  cleanups,
  fork,
  isAlive,
  madeDir,
  modeOf,
  query,
  ROLE_AND_OWNER,
  removeMadeDir,
  socketDirOf,
  start,
  temporaryDir,
} from '../../setup/embedded-postgres.ts'

afterEach(cleanUp)
afterAll(removeMadeDir)

describe('a first start and later ones', () => {
  it('makes the database, keeps its data, and leaves no process or file behind', async () => {
    const dataDir = join(temporaryDir(), 'data')
    const first = await start({ dataDir })
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const [database] = await query(
      first,
      `SELECT datlocprovider AS provider, datlocale AS locale, pg_encoding_to_char(encoding) AS encoding
       FROM pg_database WHERE datname = 'marketplace'`,
    )
    expect(database).toEqual({ provider: 'b', locale: 'C.UTF-8', encoding: 'UTF8' })
    await Promise.all([first.stop(), first.stop()])
    await first.stop()
    expect(isAlive(first.pid)).toBe(false)
    expect(fs.existsSync(socketDirOf(first))).toBe(false)

    const second = await start({ dataDir })
    expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('is durable and holds no port unless told otherwise', async () => {
    const server = await startEmbeddedPostgres({ dataDir: temporaryDir() })
    cleanups.push(server.stop)
    const [row] = await query(
      server,
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         current_setting('full_page_writes') AS pages, current_setting('listen_addresses') AS listen,
         current_setting('timezone') AS timezone, current_setting('max_connections') AS connections`,
    )
    expect(row).toEqual({
      fsync: 'on',
      commit: 'on',
      pages: 'on',
      listen: '',
      timezone: 'UTC',
      connections: '100',
    })
  })

  it('works in a very deep directory with awkward characters in its name', async () => {
    const dataDir = join(temporaryDir(), 'a'.repeat(200), "it's 100% déjà $HOME;", 'b'.repeat(100))
    const server = await start({ dataDir })
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(socketDirOf(server).length).toBeLessThan(85)
  })

  it('keeps password, data and socket private, and asks for the password', async () => {
    const dataDir = temporaryDir()
    const server = await start({ dataDir })
    expect(modeOf(join(dataDir, 'postgres.password'))).toBe(0o600)
    expect(modeOf(join(dataDir, 'postgres.log'))).toBe(0o600)
    expect(modeOf(join(dataDir, 'postgres'))).toBe(0o700)
    expect(modeOf(socketDirOf(server))).toBe(0o700)
    const wrong = server.connectionString.replace(/:[0-9a-f]{48}@/, ':wrong@')
    await expect(query({ connectionString: wrong }, 'SELECT 1')).rejects.toMatchObject({
      code: '28P01',
    })
    const scram = { rolpassword: expect.stringMatching(/^SCRAM-SHA-256\$/) }
    expect(
      await asSuperuser(server, 'SELECT rolpassword FROM pg_authid WHERE rolcanlogin'),
    ).toEqual([scram, scram])
  })

  it('provides a role that owns the database and has no rights beyond it', async () => {
    const server = await start({ dataDir: await madeDir() })
    expect(await query(server, ROLE_AND_OWNER)).toEqual([
      { super: false, roles: false, databases: false, replication: false, owner: 'marketplace' },
    ])
    await query(server, 'CREATE EXTENSION pg_trgm')
    await query(server, 'CREATE TABLE own (id int)')
    for (const beyond of [
      'CREATE DATABASE another',
      'CREATE ROLE another',
      `COPY own FROM PROGRAM 'id'`,
      `SELECT pg_read_file('postgresql.auto.conf')`,
      'ALTER SYSTEM SET fsync = off',
    ]) {
      await expect(query(server, beyond)).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('takes nothing from the environment of the caller', async () => {
    const env = {
      LC_ALL: 'xx_XX.nonsense',
      PGOPTIONS: '-c nonsense=1',
      PGPORT: '1',
      PGHOST: '/nowhere',
      PGDATA: '/nowhere',
      PGUSER: 'x',
      PGDATABASE: 'x',
      PGSSLMODE: 'require',
      SECRET_KEY: 'secret-of-the-caller',
    }
    const { pid } = await (await fork({ dataDir: await madeDir() }, { env })).ready()
    expect(fs.readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('secret-of-the-caller')
  })

  it('sets a new password when its file was lost', async () => {
    const dataDir = await madeDir()
    fs.rmSync(join(dataDir, 'postgres.password'))
    await start({ dataDir })
  })
})
