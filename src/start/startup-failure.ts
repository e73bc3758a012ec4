import { OperatorError } from '../errors.ts'
import { SecretBoxError } from '../secrets/secret-box.ts'

/**
 * The message for the operator when the server cannot start, or undefined when the failure is a
 * bug. It holds no stack and no password.
 */
export function startupFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof SecretBoxError) {
    return `SECRET_KEY does not fit the database: a secret in it was ${error.message}.`
  }
  return error instanceof OperatorError ? error.message : listenFailure(error)
}

type SystemError = Error & {
  code?: string
  syscall?: string
  port?: number
  address?: string
  /** Which variable names the port; PORT unless given. */
  variable?: string
}

function listenFailure({
  code,
  syscall,
  port,
  address,
  variable = 'PORT',
}: SystemError): string | undefined {
  if (syscall === 'listen') {
    switch (code) {
      case 'EADDRINUSE':
        return `The port ${port} of ${address} is in use. Set ${variable} to another one.`
      case 'EACCES':
        return `The port ${port} of ${address} is not open to this user. Set ${variable} to another one.`
      case 'EADDRNOTAVAIL':
        return `HOST: ${address} is no address of this machine.`
      default:
        return undefined
    }
  }
  return syscall === 'getaddrinfo' ? 'HOST: the name has no address on this machine.' : undefined
}
