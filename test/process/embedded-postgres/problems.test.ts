import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { makeSocketDir } from '../../../src/operation/embedded-postgres/socket-dir.ts'
import {
  cleanUp,
  cleanups,
  expectProblem,
  isRoot,
  madeDir,
  modeOf,
  NOBODY,
  removeMadeDir,
  settings,
  start,
  temporaryDir,
} from '../../setup/embedded-postgres.ts'

const owner = { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0 }

afterEach(cleanUp)
afterAll(removeMadeDir)

describe('a problem that the operator can solve', () => {
  it.each([
    ['16', /made by Postgres 16, and this release brings Postgres 18.*pg_dump/],
    ['99', /made by Postgres 99/],
  ])('data of Postgres %s', async (version, message) => {
    const dataDir = temporaryDir()
    fs.mkdirSync(join(dataDir, 'postgres'))
    fs.writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${version}\n`)
    await expectProblem({ dataDir }, message)
  })

  it('a file, something below a file, a name that is too long, or other data', async () => {
    const dir = temporaryDir()
    fs.writeFileSync(join(dir, 'file'), '')
    for (const [path, reason] of [
      ['file', 'it is a file'],
      ['file/x', 'ENOTDIR'],
      ['x'.repeat(300), 'ENAMETOOLONG'],
    ] as const) {
      await expectProblem(
        { dataDir: join(dir, path) },
        RegExp(`^Cannot use the data directory .*${reason}.*\\. Set DATA_DIR to a directory that`),
      )
    }
    fs.mkdirSync(join(dir, 'postgres'))
    fs.writeFileSync(join(dir, 'postgres', 'thesis.txt'), '')
    await expectProblem({ dataDir: dir }, /holds files but no database/)
  })

  it('a start that fails shows the end of the log and frees the directory', async () => {
    const dataDir = temporaryDir()
    const wrong = { ...settings, shared_buffers: 'nonsense' }
    await expectProblem(
      { dataDir, settings: wrong },
      /Postgres did not start \(exit code 1\)\. Its log ends:\n.*invalid value for parameter "shared_buffers": "nonsense"/s,
    )
    await start({ dataDir })
  })

  it('an initdb that fails leaves nothing behind', async () => {
    const dataDir = temporaryDir()
    // initdb reads no password from such a file.
    fs.writeFileSync(join(dataDir, 'postgres.password'), '\0\n')
    await expectProblem({ dataDir }, /initdb failed/)
    expect(fs.readdirSync(dataDir).filter((name) => name.includes('.init-'))).toEqual([])
  })

  it('another password in the file than in the database', async () => {
    const dataDir = await madeDir()
    fs.writeFileSync(join(dataDir, 'postgres.password'), 'other')
    await expectProblem({ dataDir }, /Delete that file in the data directory and start again/)
  })
})

describe('the directory of the socket', () => {
  it('that cannot be made is no fault of the data directory, and no database is made', async () => {
    const dataDir = temporaryDir()
    const missing = join(temporaryDir(), 'gone')
    vi.stubEnv('TMPDIR', missing)
    cleanups.push(() => vi.unstubAllEnvs())
    await expectProblem(
      { dataDir },
      RegExp(`^Cannot make a directory .* in ${missing}: ENOENT. Set TMPDIR to a directory that`),
    )
    expect(fs.existsSync(join(dataDir, 'postgres'))).toBe(false)
  })

  it('has another name when another user has taken its name', () => {
    const dataDir = temporaryDir()
    const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
    const guessed = join(tmpdir(), `app-marketplace-${hash}-${owner.uid}`)
    const elsewhere = temporaryDir()
    cleanups.push(() => fs.rmSync(guessed, { recursive: true, force: true }))
    const traps = [
      () => fs.symlinkSync(elsewhere, guessed),
      () => fs.mkdirSync(guessed, { mode: 0o777 }) ?? fs.chmodSync(guessed, 0o777),
      () => fs.writeFileSync(guessed, ''),
    ]
    if (isRoot)
      traps.push(() => fs.mkdirSync(guessed, 0o700) ?? fs.chownSync(guessed, NOBODY, NOBODY))
    for (const trap of traps) {
      trap()
      const dir = makeSocketDir(dataDir, owner)
      cleanups.push(() => fs.rmSync(dir, { recursive: true, force: true }))
      expect(dir).not.toBe(guessed)
      expect(modeOf(dir)).toBe(0o700)
      fs.rmSync(guessed, { recursive: true })
    }
    expect(makeSocketDir(dataDir, owner)).toBe(guessed)
  })
})
