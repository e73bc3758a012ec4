import { ConfigError } from '../config.ts'
import { MigrationError } from '../database/migrate.ts'
import { EmbeddedPostgresError } from '../embedded-postgres/error.ts'
import { SecretBoxError } from '../secrets/secret-box.ts'
import { SecretKeyError } from './data-dir.ts'
import { DatabaseError } from './runtime.ts'

/** Failures whose message says all that the operator needs to mend them. */
const TOLD = [ConfigError, DatabaseError, EmbeddedPostgresError, MigrationError, SecretKeyError]

/**
 * What to tell the operator about a failure that is not a fault of the program: a setting, a
 * database that is away, a port in use. Holds no stack and no password.
 *
 * @returns undefined for any other failure
 */
export function startupFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (TOLD.some((kind) => error instanceof kind)) return error.message
  if (error instanceof SecretBoxError) {
    return `SECRET_KEY does not fit the database: a secret in it was ${error.message}.`
  }
  return listenFailure(error)
}

type SystemError = Error & { code?: string; syscall?: string; port?: number; address?: string }

function listenFailure({ code, syscall, port, address }: SystemError): string | undefined {
  if (syscall === 'listen') {
    switch (code) {
      case 'EADDRINUSE':
        return `The port ${port} of ${address} is in use. Set PORT to another one.`
      case 'EACCES':
        return `The port ${port} of ${address} is not open to this user. Set PORT to another one.`
      case 'EADDRNOTAVAIL':
        return `HOST: ${address} is no address of this machine.`
      default:
        return undefined
    }
  }
  return syscall === 'getaddrinfo' ? 'HOST: the name has no address on this machine.' : undefined
}
