import fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import {
  canUnshare,
  cleanUp,
  fork,
  forkConfined,
  isRoot,
  NOBODY,
  query,
  repositoryIsOpen,
  start,
  temporaryDir,
} from '../../setup/embedded-postgres.ts'

afterEach(cleanUp)

describe.runIf(isRoot)('as root', () => {
  it('works below a directory of mode 0700, in a way that it finds', async () => {
    const dataDir = join(temporaryDir(), 'data')
    const server = await start({ dataDir })
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it.runIf(canUnshare)('runs in a user namespace with the data inside', async () => {
    const dataDir = join(temporaryDir(), 'data')
    await start({ dataDir, runAs: 'user-namespace' })
    expect(fs.existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
    expect(fs.statSync(join(dataDir, 'postgres')).uid).toBe(0)
  })

  it('as nobody, keeps the data inside a directory that only root can enter', async () => {
    const dataDir = join(temporaryDir(), 'data')
    const first = await start({ dataDir, runAs: 'unprivileged-user' })
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(fs.statSync(join(dataDir, 'postgres')).uid).toBe(NOBODY)
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    const status = fs.readFileSync(`/proc/${first.pid}/status`, 'utf8')
    expect(status).toMatch(/^Uid:\s65534\s65534/m)
    // No right but to pass through directories, and none to gain others.
    expect(status).toMatch(/^CapEff:\s0000000000000004$/m)
    expect(status).toMatch(/^CapPrm:\s0000000000000004$/m)
    expect(status).toMatch(/^NoNewPrivs:\s1$/m)
    await first.stop()
    for (const runAs of ['unprivileged-user', undefined] as const) {
      const next = await start({ dataDir, ...(runAs && { runAs }) })
      expect(await query(next, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
      await next.stop()
    }
  })

  it('serves data that an earlier release keeps elsewhere, once at a time', async () => {
    const [dataDir, elsewhere] = [temporaryDir(), temporaryDir()]
    const first = await start({ dataDir, runAs: 'unprivileged-user' })
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    fs.chmodSync(elsewhere, 0o711)
    fs.renameSync(join(dataDir, 'postgres'), join(elsewhere, 'postgres-1'))
    fs.writeFileSync(join(dataDir, 'postgres.location'), `${join(elsewhere, 'postgres-1')}\n`)
    const next = await start({ dataDir })
    expect(await query(next, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    const copy = temporaryDir()
    for (const name of ['postgres.location', 'postgres.password']) {
      fs.copyFileSync(join(dataDir, name), join(copy, name))
    }
    await expect(start({ dataDir: copy })).rejects.toThrow(/^Another server/)
    await next.stop()
    fs.rmSync(join(elsewhere, 'postgres-1'), { recursive: true })
    await expect(start({ dataDir })).rejects.toThrow(/but is not there\. Restore that directory/)
  })

  it.runIf(canUnshare).each([
    ['that forbids user namespaces', [], '0000000000000004'],
    [
      'that is a container',
      ['chown', 'dac_override', 'fowner', 'fsetid', 'kill', 'setgid', 'setuid', 'setpcap'],
      '0000000000000002',
    ],
  ])('becomes nobody on a machine %s', async (_machine, rights, kept) => {
    const dataDir = join(temporaryDir(), 'data')
    const { pid } = await (await forkConfined({ dataDir }, rights)).ready()
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
    expect(status).toMatch(/^Uid:\s65534\s65534/m)
    expect(status).toContain(`CapEff:\t${kept}`)
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  it('becomes nobody by itself where a user namespace does not help', async () => {
    const parent = temporaryDir()
    // In the namespace root has lost its right to pass through directories of other users.
    fs.chownSync(parent, 54_321, 54_321)
    const server = await start({ dataDir: join(parent, 'data') })
    expect(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\s65534\s65534/m)
  })

  it('as nobody, keeps data inside where nobody can reach it', async () => {
    const parent = temporaryDir()
    fs.chmodSync(parent, 0o755)
    const dataDir = join(parent, 'data')
    const server = await start({ dataDir, runAs: 'unprivileged-user' })
    expect(fs.statSync(join(dataDir, 'postgres')).uid).toBe(NOBODY)
    expect(fs.readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\s65534\s65534/m)
  })

  it('leaves the data of an ordinary user alone, and names that user', async () => {
    const dataDir = join(temporaryDir(), 'data')
    fs.mkdirSync(join(dataDir, 'postgres'), { recursive: true })
    fs.chownSync(join(dataDir, 'postgres'), 54_321, 54_321)
    await expect(start({ dataDir })).rejects.toThrow(/belongs to the user with id 54321.*sudo -u/)
    expect(fs.statSync(join(dataDir, 'postgres')).uid).toBe(54_321)
  })

  it.runIf(canUnshare)('takes the data along when the way of running changes', async () => {
    const dataDir = join(temporaryDir(), 'data')
    const first = await start({ dataDir, runAs: 'user-namespace' })
    await query(first, 'CREATE TABLE kept AS SELECT 42 AS answer')
    await first.stop()
    const second = await start({ dataDir, runAs: 'unprivileged-user' })
    expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
    await second.stop()
    const third = await start({ dataDir, runAs: 'user-namespace' })
    expect(await query(third, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  })

  it.runIf(repositoryIsOpen)('also works as an ordinary user, with or without a name', async () => {
    for (const uid of [NOBODY, 54_321]) {
      const dataDir = temporaryDir()
      fs.chownSync(dataDir, uid, uid)
      const { pid } = await (await fork({ dataDir }, { uid })).ready()
      expect(fs.readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(
        new RegExp(`^Uid:\\s${uid}\\s`, 'm'),
      )
    }
  })

  it.runIf(repositoryIsOpen)(
    'tells an ordinary user what is wrong with the directory',
    async () => {
      const hidden = temporaryDir()
      const readOnly = temporaryDir()
      fs.chmodSync(readOnly, 0o755)
      const ofRoot = temporaryDir()
      await (await start({ dataDir: ofRoot })).stop()
      fs.chmodSync(ofRoot, 0o777)
      expect(
        await (await fork({ dataDir: join(hidden, 'data') }, { uid: NOBODY })).error(),
      ).toMatch(/^EmbeddedPostgresError: Cannot use the data directory .*: EACCES/)
      expect(await (await fork({ dataDir: readOnly }, { uid: NOBODY })).error()).toMatch(
        /^EmbeddedPostgresError: Cannot use the data directory .*: EACCES/,
      )
      expect(await (await fork({ dataDir: ofRoot }, { uid: NOBODY })).error()).toMatch(
        /^EmbeddedPostgresError: Cannot use the data directory .*: EACCES.*server\.lock/,
      )
    },
  )
})
