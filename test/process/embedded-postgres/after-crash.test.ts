import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  cleanUp,
  cleanups,
  fork,
  initdbsOf,
  isAlive,
  madeDir,
  query,
  removeMadeDir,
  socketDirOf,
  start,
  temporaryDir,
} from '../../setup/embedded-postgres.ts'
import { waitUntil } from '../../setup/server-process.ts'

afterEach(cleanUp)
afterAll(removeMadeDir)

describe('after a crash', () => {
  it('stops the Postgres that a killed server left running, and loses no commit', async () => {
    const dataDir = await madeDir()
    const killed = await fork({ dataDir })
    const left = await killed.ready()
    await query(left, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await killed.kill('SIGKILL')
    expect(isAlive(left.pid)).toBe(true)
    const next = await start({ dataDir })
    expect(isAlive(left.pid)).toBe(false)
    expect(await query(next, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('starts over a stale postmaster.pid and stale sockets', async () => {
    const dataDir = await madeDir()
    const killed = await fork({ dataDir, settings: {} })
    const left = await killed.ready()
    await query(left, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await killed.kill('SIGKILL')
    process.kill(left.pid, 'SIGKILL')
    expect(fs.existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(true)
    expect(fs.readdirSync(socketDirOf(left))).not.toEqual([])
    const next = await start({ dataDir })
    expect(await query(next, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it('does not stop an unrelated process with the pid of the old Postgres', async () => {
    const dataDir = await madeDir()
    const bystander = spawn('sleep', ['60'])
    cleanups.push(() => bystander.kill())
    const lines = [bystander.pid, join(dataDir, 'postgres'), 1, 5432, '', '', '', 'ready', '']
    fs.writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'))
    await start({ dataDir })
    expect(isAlive(bystander.pid ?? 0)).toBe(true)
  })

  it('does not stop the Postgres of another data directory', async () => {
    const dataDir = await madeDir()
    const other = await start({ dataDir: await madeDir() })
    fs.writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), `${other.pid}\n`)
    await start({ dataDir })
    expect(await query(other, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('starts when the first start was killed at any moment', async () => {
    const parent = temporaryDir()
    // Its files are inside, whoever Postgres runs as.
    fs.chmodSync(parent, 0o755)
    const dataDir = join(parent, 'data')
    fs.mkdirSync(dataDir)
    const has = (...path: string[]) => fs.existsSync(join(dataDir, ...path))
    const unfinished = () => fs.readdirSync(dataDir).filter((name) => name.includes('.init-'))
    const isReached: ((made: string[]) => boolean)[] = [
      () => has('server.lock'),
      () => has('postgres.password'),
      (made) => made.length > 0,
      (made) => made.some((name) => has(name, 'data', 'PG_VERSION')),
      (made) => made.some((name) => has(name, 'data', 'global', 'pg_control')),
      (made) => made.some((name) => has(name, 'data', 'base', '5')),
      () => has('postgres', 'PG_VERSION'),
      () => has('postgres', 'postmaster.pid'),
    ]
    for (const index of isReached.keys()) {
      const former = unfinished()
      const killed = await fork({ dataDir })
      await waitUntil(() => {
        const made = unfinished().filter((name) => !former.includes(name))
        // Or a later one: on a busy machine nobody may look while this one lasts.
        return isReached.slice(index).some((stage) => stage(made))
      })
      await killed.kill('SIGKILL')
    }
    const server = await start({ dataDir })
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.stop()
    // An initdb whose server was killed may write for a moment; the next start tidies up.
    await waitUntil(() => initdbsOf(dataDir).length === 0)
    await start({ dataDir })
    expect(unfinished()).toEqual([])
  })

  it('starts a Postgres again that ends by itself, at the same address', async () => {
    const dataDir = await madeDir()
    const told: string[] = []
    const server = await start({
      dataDir,
      onRestart: (detail) => told.push(detail),
      onExit: (detail) => told.push(`for good: ${detail}`),
    })
    await query(server, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const { pid } = server
    process.kill(pid, 'SIGKILL')
    await expect
      .poll(() => query(server, 'SELECT answer FROM kept').catch(() => 'away'))
      .toEqual([{ answer: 42 }])
    expect(server.pid).not.toBe(pid)
    expect(told).toEqual([expect.stringContaining('killed by SIGKILL')])
    await server.stop()
    expect(isAlive(server.pid)).toBe(false)
    expect(fs.existsSync(socketDirOf(server))).toBe(false)
    expect(told).toHaveLength(1)
  })

  it('starts a Postgres again whose log somebody took away', async () => {
    const dataDir = await madeDir()
    const told: string[] = []
    const server = await start({
      dataDir,
      onRestart: (detail) => told.push(detail),
      onExit: (detail) => told.push(`for good: ${detail}`),
    })
    fs.rmSync(join(dataDir, 'postgres.log'))
    process.kill(server.pid, 'SIGKILL')
    await waitUntil(() => told.length > 0)
    expect(told).toEqual(['Postgres has ended (killed by SIGKILL).'])
    await expect
      .poll(() => query(server, 'SELECT 1 AS one').catch(() => 'away'))
      .toEqual([{ one: 1 }])
  })

  it('gives up a Postgres that does not start again', async () => {
    const dataDir = await madeDir()
    const restarts: string[] = []
    const ended = Promise.withResolvers<string>()
    const server = await start({
      dataDir,
      restartDelaysMs: [1, 1, 1],
      onRestart: (detail) => restarts.push(detail),
      onExit: ended.resolve,
    })
    const control = join(dataDir, 'postgres', 'global', 'pg_control')
    fs.renameSync(control, `${control}.gone`)
    process.kill(server.pid, 'SIGKILL')
    expect(await ended.promise).toMatch(/^Postgres did not start .*could not open file/s)
    expect(restarts).toHaveLength(3)
    await server.stop()
    fs.renameSync(`${control}.gone`, control)
    await start({ dataDir })
  })

  it('tries a Postgres that finds no space on the disk until there is space', async () => {
    const dataDir = await madeDir()
    const restarts: string[] = []
    const server = await start({
      dataDir,
      restartDelaysMs: [1, 1, 1],
      onRestart: (detail) => restarts.push(detail),
      onExit: (detail) => restarts.push(`for good: ${detail}`),
    })
    const { pid } = server
    // Postgres writes this file at each start.
    const options = join(dataDir, 'postgres', 'postmaster.opts')
    fs.rmSync(options)
    fs.symlinkSync('/dev/full', options)
    process.kill(pid, 'SIGKILL')
    // The memory of the killed one is in use until its children have ended, too.
    const failures = () =>
      restarts.slice(1).filter((detail) => !/^Postgres.* is still in use/s.test(detail))
    await waitUntil(() => failures().length > 5)
    fs.rmSync(options)
    await expect
      .poll(() => query(server, 'SELECT 1 AS one').catch(() => 'away'))
      .toEqual([{ one: 1 }])
    expect(server.pid).not.toBe(pid)
    expect(failures()).toEqual(
      failures().map(() => expect.stringContaining('No space left on device')),
    )
  })

  it('survives a Ctrl-C in the terminal, and ends with its server', async () => {
    const server = await fork({ dataDir: await madeDir() })
    const postgres = await server.ready()
    process.kill(-(server.child.pid ?? 0), 'SIGINT')
    // A Postgres that got the signal looks at it before it takes another connection.
    expect(await query(postgres, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(isAlive(postgres.pid)).toBe(true)
    await server.kill('SIGTERM')
    await expect.poll(() => isAlive(postgres.pid)).toBe(false)
  })
})
