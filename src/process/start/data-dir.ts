import { randomBytes } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '../../base/files/durable-file.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { OperatorError } from '../../errors.ts'
import { CHOOSE_DATA_DIR } from '../../operation/embedded-postgres/data-directory.ts'
import { Demo } from '../demo/demo-file.ts'

/** A file of the data directory cannot be written or read; the message is for the operator. */
class DataDirError extends OperatorError {}

/** The kept SECRET_KEY cannot be used; the message is for the operator. */
class SecretKeyError extends OperatorError {}

/**
 * The generated SECRET_KEY of this data directory. It is made once, by the process that has the
 * lock.
 *
 * @param isInUse whether there are secrets that only a key made earlier opens
 * @throws SecretKeyError when the file holds something else, or was lost
 */
export async function generatedSecretKey(
  dataDir: string,
  isInUse: () => Promise<boolean>,
): Promise<string> {
  const file = secretKeyFile(dataDir)
  const existing = await readSecretKey(file)
  if (existing !== undefined) return existing
  if (await isInUse()) {
    throw new SecretKeyError(
      `${file} is missing, and the database has secrets that only its key opens. Restore the file, or set SECRET_KEY to that key.`,
    )
  }
  const secretKey = randomBytes(32).toString('base64')
  await writeDurably(file, `${secretKey}\n`)
  return secretKey
}

/**
 * The SECRET_KEY that a server has generated in this data directory.
 *
 * @throws SecretKeyError when there is none
 */
export async function keptSecretKey(dataDir: string): Promise<string> {
  const file = secretKeyFile(dataDir)
  const existing = await readSecretKey(file)
  if (existing !== undefined) return existing
  throw new SecretKeyError(
    `SECRET_KEY is not set, and ${file} is missing. A server writes that file at its first start. ` +
      'If one has started here, restore the file, or set SECRET_KEY to its key.',
  )
}

const secretKeyFile = (dataDir: string) => join(dataDir, 'secret-key')

async function readSecretKey(file: string): Promise<string | undefined> {
  const existing = (await readIfThere(file))?.trim()
  if (existing === undefined || /^[A-Za-z0-9+/]{43}=$/.test(existing)) return existing
  throw new SecretKeyError(
    `${file} holds no key of 32 bytes in base64. Restore it, or set SECRET_KEY to the key of this database.`,
  )
}

/** Where the running embedded database is, for commands that join it; it holds a password. */
const databaseUrlFile = (dataDir: string) => join(dataDir, 'database-url')

/** Tells commands where the embedded database of this server is. */
export async function saveDatabaseUrl(dataDir: string, url: string): Promise<void> {
  await writeDurably(databaseUrlFile(dataDir), url)
}

/** Called before the embedded database stops. */
export async function forgetDatabaseUrl(dataDir: string): Promise<void> {
  await rm(databaseUrlFile(dataDir), { force: true })
}

/** The address that a server has saved; that of a killed server is stale. */
export async function runningDatabaseUrl(dataDir: string): Promise<string | undefined> {
  return await readIfThere(databaseUrlFile(dataDir))
}

/** Path of the credentials of the demo marketplace. */
export function demoFile(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

/** Keeps the credentials of the demo marketplace, for the owner's eyes only. */
export async function saveDemo(dataDir: string, demo: Demo): Promise<void> {
  await writeDurably(demoFile(dataDir), `${JSON.stringify(demo, null, 2)}\n`)
}

/** The credentials of the demo marketplace, when there is one whose file can be read. */
export async function readDemo(dataDir: string): Promise<Demo | undefined> {
  const text = await readIfThere(demoFile(dataDir))
  try {
    return text === undefined ? undefined : Demo.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * Replaces a file as a whole. The directory is made when nobody did: with DATABASE_URL there is no
 * embedded database to do it.
 */
async function writeDurably(file: string, text: string): Promise<void> {
  try {
    makeDirectory(dirname(file))
    await replaceFile(file, text)
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new DataDirError(`Cannot write ${file}: ${code}. ${CHOOSE_DATA_DIR}`, { cause: error })
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new DataDirError(`Cannot read ${file}: ${code}. Make it a file of the server's user.`, {
      cause: error,
    })
  }
}
