import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * What the app keeps: its position in the event log, the limit of each installation, and where its
 * events are sent.
 */
type Kept = {
  position: number
  limits: Record<string, number>
  webhook?: { id: string; url: string; secret: string }
}

/** A file that holds what the app keeps. A larger app uses its database. */
export type Store = {
  read(): Kept
  /** Changes what is kept. Position and limits change together or not at all. */
  change(work: (kept: Kept) => void): void
}

/** Opens the file. It need not exist. */
export function openStore(file: string): Store {
  const read = (): Kept => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as Kept
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return { position: 0, limits: {} }
    }
  }
  return {
    read,
    change(work) {
      const kept = read()
      work(kept)
      writeFileSync(`${file}.new`, JSON.stringify(kept), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}
