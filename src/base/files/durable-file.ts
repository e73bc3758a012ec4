import { chmod, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

const OWNER_ONLY = 0o600

/**
 * Replaces a file as a whole: after a crash there is the old one or the new one. Only the owner may
 * read and write it. The directory must be there.
 *
 * @throws ErrnoException when the file cannot be written
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`
  const handle = await open(draft, 'w', OWNER_ONLY)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await chmod(draft, OWNER_ONLY)
  await rename(draft, file)
  await syncDirectory(dirname(file))
}

/** Makes new names of files survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
