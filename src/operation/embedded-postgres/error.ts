import { OperatorError } from '../../errors.ts'

/** A problem with the embedded database that the operator can solve: print the message, no stack. */
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
