import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { OperatorError } from '../../errors.ts'

/** A problem with the embedded database that the operator can solve; print no stack. */
export class EmbeddedPostgresError extends OperatorError {}

/** Another process has the data directory. */
export class DataDirInUseError extends EmbeddedPostgresError {}

/** What to do when a directory or a file in it cannot be used. */
export const CHOOSE_DATA_DIR = 'Set DATA_DIR to a directory that the server may write.'

/** A data directory that cannot be used, with the reason without a full stop. */
export function unusableDataDir(path: string, reason: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `Cannot use the data directory ${path}: ${reason}. ${CHOOSE_DATA_DIR}`,
  )
}

/**
 * Makes the data directory, if it is missing.
 *
 * @returns its path without symbolic links
 * @throws EmbeddedPostgresError or the error of the system when it cannot be used
 */
export function prepareDataDir(path: string): string {
  makeDirectory(path)
  const dataDir = realpathSync(path)
  if (!statSync(dataDir).isDirectory()) throw unusableDataDir(path, 'it is a file')
  accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  return dataDir
}
