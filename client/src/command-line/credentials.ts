import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from './usage-error.ts'

/** The marketplace and the credential that commands use. */
export type Credentials = { baseUrl: string; clientId: string; password: string }

/** Saves credentials for later commands in a file that only this user can read. */
export async function saveCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Replaces an existing file, which others may be able to read.
  const fresh = `${file}.${randomUUID()}`
  await writeFile(fresh, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(fresh, file)
}

/** @throws UsageError when nobody is signed in, or the file was damaged */
export async function readCredentials(file: string): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) throw new UsageError('Sign in first: login --client-id ID')
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
