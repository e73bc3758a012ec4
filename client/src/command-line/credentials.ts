import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from './usage-error.ts'

/** The marketplace and the credential that commands use. */
export type Credentials = { baseUrl: string; clientId: string; password: string }

/**
 * Saves credentials for later commands in a file that only this user can read.
 *
 * @throws UsageError when they cannot be saved; then nothing is left of them
 */
export async function saveCredentials(file: string, credentials: Credentials): Promise<void> {
  // Replaces an existing file, which others may be able to read.
  const fresh = `${file}.${randomUUID()}`
  const text = `${JSON.stringify(credentials, null, 2)}\n`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx' })
    await rename(fresh, file)
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined)
    throw new UsageError(`The credentials cannot be kept: ${(error as Error).message}`)
  }
}

/**
 * Forgets the credentials.
 *
 * @returns whether there were any
 * @throws UsageError when they cannot be removed
 */
export async function forgetCredentials(file: string): Promise<boolean> {
  try {
    await rm(file)
    return true
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    throw new UsageError(`The credentials cannot be removed: ${message}`)
  }
}

/** @throws UsageError when nobody is signed in, or the file cannot be read or was damaged */
export async function readCredentials(file: string): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch(({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') throw new UsageError('Sign in first: login --client-id ID')
    throw new UsageError(`The credentials cannot be read: ${message}`)
  })
  const credentials = credentialsIn(text)
  if (credentials !== undefined) return credentials
  throw new UsageError(`${file} is damaged. Sign in again: login --client-id ID`)
}

function credentialsIn(text: string): Credentials | undefined {
  try {
    const { baseUrl, clientId, password } = JSON.parse(text)
    const isWhole = [baseUrl, clientId, password].every((one) => typeof one === 'string')
    return isWhole ? { baseUrl, clientId, password } : undefined
  } catch {
    return undefined
  }
}
