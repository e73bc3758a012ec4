import { readFile } from 'node:fs/promises'
import { UsageError } from './usage-error.ts'

/**
 * The object in a file of JSON.
 *
 * @throws UsageError the file cannot be read, or holds anything else
 */
export async function readJsonFile(file: string): Promise<Record<string, unknown>> {
  let value: unknown
  try {
    // Decoded without the byte order mark that editors on Windows write.
    value = JSON.parse(new TextDecoder().decode(await readFile(file)))
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}`)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  throw new UsageError(`${file} holds no JSON object.`)
}
