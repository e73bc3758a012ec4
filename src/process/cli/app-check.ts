import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linesOf } from '../../base/values/json-lines.ts'
import { loadConfig } from '../../config.ts'
import { AppError, type FieldError, ignoring } from '../../errors.ts'
import { parseAppDefinition } from '../../marketplace/apps/check-definition.ts'
import type { AppDefinition } from '../../marketplace/apps/definition.ts'
import { previewChanges, previewCreation } from '../../marketplace/apps/publish-service.ts'
import { findApp } from '../../marketplace/apps/read-apps-service.ts'
import type { Change } from '../../marketplace/apps/versions/change-kinds.ts'
import {
  compareDefinitions,
  isBreaking,
} from '../../marketplace/apps/versions/compare-definitions.ts'
import { withMarketplace } from './marketplace.ts'

/**
 * Checks a definition in a file without a server. Compares it with the published definition in the
 * database of the environment, if there is one, or with a definition in another file.
 *
 * @returns the text to print
 * @throws AppError unprocessable with every problem of the definition, or when a file cannot be
 *   read, is not JSON or defines another app; version_required when the changes need a new version;
 *   version_used and already_exists as the server would respond
 */
export async function checkApp(file: string, against: string | undefined): Promise<string> {
  const definition = await readDefinition(file)
  const valid = `${file}: ${definition.name} ${definition.version} is a valid definition.`
  const comparison =
    against === undefined
      ? await compareWithPublished(definition)
      : await compareWithFile(definition, against)
  if (typeof comparison === 'string') return `${valid}\n${comparison}`
  const { version, changes } = comparison
  if (changes.length === 0) return `${valid}\nIt is the same as the published definition.`
  const lines = changes.map(
    ({ breaking, kind, pointer, detail }) =>
      `  ${breaking ? 'BREAKING' : 'harmless'}  ${kind}  ${pointer}: ${detail}`,
  )
  const report = `${valid}\nChanges from the published version ${version}:\n${lines.join('\n')}`
  if (isBreaking(changes) && version === definition.version) {
    throw new AppError('version_required', {
      detail: `${report}\nThese changes need a new version string.`,
    })
  }
  return report
}

/** The published version, and how the definition differs from it. */
type Comparison = { version: string; changes: Change[] }

async function compareWithFile(definition: AppDefinition, file: string): Promise<Comparison> {
  const former = await readDefinition(file)
  if (former.id !== definition.id) {
    throw refused(`${file} defines another app: ${former.id}, not ${definition.id}.`)
  }
  return { version: former.version, changes: compareDefinitions(former, definition) }
}

/** Compares with an existing database; does not start an embedded one that is not there. */
async function compareWithPublished(definition: AppDefinition): Promise<Comparison | string> {
  const { databaseUrl, dataDir } = loadConfig()
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'secret-key'))) {
    return 'There is no database to compare with. Name the published definition with --against FILE.'
  }
  return withMarketplace(async (deps) => {
    const stored = await ignoring('not_found', findApp(deps.db, definition.id, {}))
    if (stored === undefined) {
      await previewCreation(deps, definition)
      return 'It is not published yet.'
    }
    const { changes } = await previewChanges(deps, stored, definition)
    return { version: stored.definition.version, changes }
  })
}

async function readDefinition(file: string): Promise<AppDefinition> {
  const { text, value } = await readJson(file)
  const parsed = parseAppDefinition(value)
  if (parsed.ok) return parsed.definition
  const { errors } = parsed
  const pointers = errors.map(({ pointer }) => pointer)
  const lines = linesOf(text, pointers)
  const told = errors.map((error) => problemLine(error, lines.get(error.pointer)))
  const count = `${errors.length} problem${errors.length === 1 ? '' : 's'}`
  throw refused(`${file} has ${count}:\n${told.join('\n')}`)
}

function refused(detail: string): AppError {
  return new AppError('unprocessable', { detail })
}

function problemLine({ pointer, detail }: FieldError, line: number | undefined): string {
  const place = pointer === '' ? 'the whole' : pointer
  return `  ${place}${line === undefined ? '' : ` (line ${line})`}: ${detail}`
}

/** Reads JSON as strictly as the server reads a body: UTF-8, with or without a byte order mark. */
async function readJson(file: string): Promise<{ text: string; value: unknown }> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(file)
  } catch (error) {
    throw refused(`Cannot read ${file}: ${(error as Error).message}`)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch (error) {
    throw refused(`${file} is not JSON in UTF-8: ${(error as Error).message}`)
  }
}
