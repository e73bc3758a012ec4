import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** No secret is nearly as long. */
const MAX_BYTES = 64 * 1024

/** What a file with a secret holds, or why it cannot be used. The text is as it stands there. */
export type SecretFile = { text: string; problem?: undefined } | { problem: string }

/**
 * Reads a small file of text at once, such as a secret that Docker or Kubernetes mounts. What is no
 * file, such as a pipe, is not waited for.
 */
export function readSecretFile(path: string): SecretFile {
  try {
    // A pipe that nobody writes to would hold up the start for ever.
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return textIn(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return { problem: `the file cannot be read (${code})` }
  }
}

function textIn(file: number): SecretFile {
  if (!fstatSync(file).isFile()) return { problem: 'is not the path of a file' }
  const bytes = Buffer.alloc(MAX_BYTES + 1)
  let length = 0
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(file, bytes, length, bytes.length - length, null)
  }
  if (length > MAX_BYTES) return { problem: `the file has more than ${MAX_BYTES / 1024} KiB` }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length)) }
  } catch {
    return { problem: 'the file is not text in UTF-8' }
  }
}
