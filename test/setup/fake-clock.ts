import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LIBRARIES = '/usr/lib'

/** The clock of a process, which jumps while it runs. */
export type FakeClock = {
  /** What the process is started with. */
  env: Record<string, string>
  /** Moves the clock away from the true time, such as by `+6h`. */
  set(offset: string): Promise<void>
  close(): Promise<void>
}

/** The library of Debian's package `libfaketime`; undefined where it is not installed. */
export function fakeClockLibrary(): string | undefined {
  if (!existsSync(LIBRARIES)) return undefined
  return readdirSync(LIBRARIES)
    .map((name) => join(LIBRARIES, name, 'faketime/libfaketimeMT.so.1'))
    .find((file) => existsSync(file))
}

/** A clock that shows the true time until it is set. */
export async function startFakeClock(library: string): Promise<FakeClock> {
  const directory = await mkdtemp(join(tmpdir(), 'fake-clock-'))
  const file = join(directory, 'clock')
  /** In one step, for the library may read at any moment. */
  const set = async (offset: string) => {
    await writeFile(`${file}.next`, `${offset}\n`)
    await rename(`${file}.next`, file)
  }
  await set('+0')
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // What measures durations does not jump with a machine's clock.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    set,
    close: () => rm(directory, { recursive: true, force: true }),
  }
}
