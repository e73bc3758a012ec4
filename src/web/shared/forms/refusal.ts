import { AppError, type ErrorCode } from '../../../errors.ts'
import type { FormProblem } from './form-problems.ts'

/** A form that was refused: what is wrong with it, and the status of the page that says so. */
export type Refusal = { status: number; problems: readonly FormProblem[] }

/**
 * What a refused change tells about its form.
 *
 * @param codes the errors that are about the form
 * @param problemsOf turns such an error into problems; the message above the form unless given
 * @throws the error itself, when it is not about the form
 */
export function refusalOf(
  error: unknown,
  codes: readonly ErrorCode[],
  problemsOf: (error: AppError) => readonly FormProblem[] = messageOf,
): Refusal {
  if (!(error instanceof AppError && codes.includes(error.code))) throw error
  return { status: error.status, problems: problemsOf(error) }
}

/**
 * Why a new password was refused, at the field where it is chosen.
 *
 * @throws the error itself, when it is about something else
 */
export function newPasswordRefusal(error: unknown): Refusal {
  const errors = error instanceof AppError ? (error.options.errors ?? []) : []
  if (!errors.some(({ pointer }) => pointer === '/password')) throw error
  return refusalOf(error, ['unprocessable'], () =>
    errors.map(({ detail }) => ({ field: 'newPassword', text: detail })),
  )
}

function messageOf({ message }: AppError): FormProblem[] {
  return [{ field: undefined, text: message }]
}
