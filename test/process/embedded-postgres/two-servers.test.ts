import fs from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  cleanUp,
  cleanups,
  fork,
  madeDir,
  query,
  removeMadeDir,
  start,
  temporaryDir,
} from '../../setup/embedded-postgres.ts'

afterEach(cleanUp)
afterAll(removeMadeDir)

describe('two servers', () => {
  it('on one data directory: the second reports which process has it', async () => {
    const dataDir = await madeDir()
    const holder = await fork({ dataDir })
    await holder.ready()
    await expect(start({ dataDir })).rejects.toMatchObject({
      name: 'DataDirInUseError',
      message:
        `Another server (pid ${holder.child.pid}) is using the data directory ` +
        `${fs.realpathSync(dataDir)}. Stop it, or set DATA_DIR to another directory.`,
    })
    await holder.kill('SIGKILL')
    await start({ dataDir })
    await expect(start({ dataDir })).rejects.toThrow(`Another server (pid ${process.pid})`)
  })

  it('starting at the same instant: exactly one wins, also through a symbolic link', async () => {
    for (let round = 0; round < 3; round++) {
      const dataDir = temporaryDir()
      const link = `${dataDir}-link`
      fs.symlinkSync(dataDir, link)
      cleanups.push(() => fs.rmSync(link, { force: true }))
      const gate = temporaryDir()
      const forks = await Promise.all(
        [dataDir, link, dataDir, link].map((dir) => fork({ dataDir: dir }, { gate })),
      )
      await expect.poll(() => fs.readdirSync(gate)).toHaveLength(forks.length)
      fs.writeFileSync(join(gate, 'open'), '')
      const outcomes = await Promise.all(forks.map((each) => each.outcome))
      const told = outcomes.map(({ error }) => error ?? 'won').join('\n')
      expect(
        outcomes.filter(({ error }) => error === undefined),
        told,
      ).toHaveLength(1)
      expect(
        outcomes.filter(({ error }) => /Another server \(pid \d+\)/.test(error ?? '')),
      ).toHaveLength(3)
    }
  })

  it('on two data directories do not meet', async () => {
    const [one, two] = await Promise.all([
      start({ dataDir: await madeDir() }),
      start({ dataDir: await madeDir() }),
    ])
    await query(one, 'CREATE TABLE only_one ()')
    await expect(query(two, 'SELECT FROM only_one')).rejects.toMatchObject({ code: '42P01' })
  })
})
