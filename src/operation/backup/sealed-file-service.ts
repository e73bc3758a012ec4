import { type FileHandle, open, stat } from 'node:fs/promises'
import { keyFingerprint } from '../../base/secrets/secret-box.ts'
import { ArchiveError, BackupError } from './archive.ts'
import { requireOurs } from './facts.ts'
import { readFirstEntry } from './read-archive.ts'
import { createSealer, isSameSeal, SEAL_BYTES, sealedBy } from './seal.ts'

/** The facts about a backup are in its beginning: no more is read of a file without a seal. */
const BEGINNING_BYTES = 1024 * 1024
const PIECE_BYTES = 256 * 1024
const CHANGED = 'The backup was changed or damaged after it was made: its seal does not fit it.'

/** A backup whose seal is right. */
export type SealedFile = {
  /** How many bytes come before the seal. */
  bytes: number
  /**
   * The bytes before the seal. The seal is checked again while they are read, because the file may
   * have changed since.
   *
   * @throws ArchiveError at the end when it has
   */
  read(): AsyncGenerator<Buffer>
}

type Input = {
  file: string
  /** SECRET_KEY, and SECRET_KEY_PREVIOUS where there is one. */
  secretKeys: readonly string[]
  onProgress(bytesRead: number, bytes: number): void
}

/**
 * Reads a whole backup and checks its seal; only then work gets it. Nothing of the file is kept in
 * memory or used before.
 *
 * @throws ArchiveError when the file is no backup, has no seal or was changed, BackupError when it
 *   cannot be read or another key has sealed it
 */
export async function withSealedFile<T>(
  { file, secretKeys, onProgress }: Input,
  work: (sealed: SealedFile) => Promise<T>,
): Promise<T> {
  const handle = await openFile(file)
  try {
    const bytes = Math.max(0, (await handle.stat()).size - SEAL_BYTES)
    const seal = await readSeal(handle, bytes)
    const secretKey = secretKeys.find((key) => keyFingerprint(key) === sealedBy(seal))
    if (secretKey === undefined) throw await whyNotOurs(handle, seal, secretKeys)
    const sealed = { bytes, read: () => readSealed(handle, { bytes, seal, secretKey }) }
    let done = 0
    for await (const chunk of sealed.read()) {
      done += chunk.length
      onProgress(done, bytes)
    }
    return await work(sealed)
  } finally {
    await handle.close()
  }
}

async function openFile(file: string): Promise<FileHandle> {
  // Opening a pipe would wait for somebody who writes.
  const info = await stat(file).catch(() => undefined)
  const handle = info?.isFile() === true ? await open(file).catch(() => undefined) : undefined
  if (handle === undefined) throw new BackupError(`The file ${file} cannot be read.`)
  return handle
}

async function readSeal(handle: FileHandle, at: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SEAL_BYTES), 0, SEAL_BYTES, at)
  return buffer.subarray(0, bytesRead)
}

async function* readSealed(
  handle: FileHandle,
  { bytes, seal, secretKey }: { bytes: number; seal: Buffer; secretKey: string },
): AsyncGenerator<Buffer> {
  const sealer = createSealer(secretKey)
  for await (const chunk of bytesOf(handle, bytes)) {
    sealer.update(chunk)
    yield chunk
  }
  if (!isSameSeal(sealer.seal(), seal)) throw new ArchiveError(CHANGED)
}

async function* bytesOf(handle: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, bytes - at))
    const { bytesRead } = await handle.read(piece, 0, piece.length, at).catch(cannotRead)
    if (bytesRead === 0) return
    at += bytesRead
    yield piece.subarray(0, bytesRead)
  }
}

function cannotRead(error: Error): never {
  throw new BackupError(`The backup cannot be read: ${error.message}.`, { cause: error })
}

/** What is said of a file that none of our keys has sealed. */
async function whyNotOurs(
  handle: FileHandle,
  seal: Buffer,
  [current = '']: readonly string[],
): Promise<Error> {
  const fingerprint = sealedBy(seal)
  if (fingerprint !== undefined) {
    return new BackupError(
      `The backup was made with another SECRET_KEY (fingerprint ${fingerprint}; this one is ` +
        `${keyFingerprint(current)}). Set SECRET_KEY to that key, or SECRET_KEY_PREVIOUS if you ` +
        'have changed it since.',
    )
  }
  try {
    requireOurs(await readFirstEntry(bytesOf(handle, BEGINNING_BYTES)))
    return new ArchiveError(
      'The backup does not end with its seal: it is cut off, or something was added to it.',
    )
  } catch (error) {
    return error as Error
  }
}
