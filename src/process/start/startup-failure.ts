import { passingFailure, reasonOf } from '../../base/database/failures.ts'
import { SecretBoxError } from '../../base/secrets/secret-box.ts'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../errors.ts'
import { nameOfDatabase } from './runtime.ts'

/**
 * The message for the operator when the server cannot start, or undefined when the failure is a
 * bug. It holds no stack and no password.
 *
 * @param config undefined when it could not be read
 */
export function startupFailure(
  error: unknown,
  config: Pick<Config, 'host' | 'databaseUrl'> | undefined,
): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof SecretBoxError) {
    return `SECRET_KEY does not fit the database: a secret in it was ${error.message}.`
  }
  if (error instanceof OperatorError) return error.message
  if (isOutOfFiles(error)) {
    return 'This process may not open as many files as it needs. Raise the limit: ulimit -n 1024.'
  }
  return listenFailure(error, config?.host) ?? (config && databaseFailure(error, config))
}

type SystemError = Error & {
  code?: string
  syscall?: string
  port?: number
  address?: string
  /** The name that has no address. */
  hostname?: string
  /** Which variable names the port; PORT unless given. */
  variable?: string
}

function isOutOfFiles({ code }: SystemError): boolean {
  return code === 'EMFILE' || code === 'ENFILE'
}

function listenFailure(
  { code, syscall, port, address, hostname, variable = 'PORT' }: SystemError,
  host: string | undefined,
): string | undefined {
  if (syscall === 'listen') {
    switch (code) {
      case 'EADDRINUSE':
        return `The port ${port} of ${address} is in use. Set ${variable} to another one.`
      case 'EACCES':
        return `The port ${port} of ${address} is not open to this user. Set ${variable} to another one.`
      case 'EADDRNOTAVAIL':
        return `HOST: ${address} is no address of this machine.`
      default:
        return `HOST: the server cannot listen on ${address} (${code}).`
    }
  }
  // The database's name can be lost as well.
  const isOfHost = syscall === 'getaddrinfo' && hostname === host
  return isOfHost ? 'HOST: the name has no address on this machine.' : undefined
}

/** The database answered the first question of the start, and was lost or locked later. */
function databaseFailure(
  error: SystemError,
  config: Pick<Config, 'databaseUrl'>,
): string | undefined {
  if (passingFailure(error) === undefined) return undefined
  return `${nameOfDatabase(config)} cannot be used just now: ${reasonOf(error)}. Start the server again.`
}
