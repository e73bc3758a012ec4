import { OperatorError } from '../../errors.ts'

/** A backup cannot be made or restored; the message is for the operator. */
export class BackupError extends OperatorError {}
