import { OperatorError } from '../errors.ts'
/** A problem with the embedded database that the operator can solve: print the message, no stack. */
export class EmbeddedPostgresError extends OperatorError {}
