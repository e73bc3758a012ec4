import { parseInput } from '../../base/values/field-errors.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { requireHardToGuess } from '../auth/guessable-password-service.ts'
import { BOTH_ROLES, UserEmail, UserRequest } from './operator-requests.ts'
import { holdOpenParties } from './parties-service.ts'
import { inUse } from './refusals-service.ts'

type Problems = NonNullable<AppError['options']['errors']>

/** What a check finds wrong and throws. */
export async function problemsOf(check: () => unknown): Promise<Problems> {
  try {
    await check()
    return []
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'unprocessable')) throw error
    return error.options.errors ?? []
  }
}

/**
 * All that is wrong with a new user, for a form that says it at once: `createUser` stops at the first
 * rule that is broken.
 *
 * @param found what is wrong with the form besides
 * @returns nothing if an email in use is all: `createUser` refuses that as already_exists
 */
export async function problemsOfNewUser(
  { db }: Pick<Deps, 'db'>,
  input: UserRequest,
  found: Problems,
): Promise<Problems> {
  const { name, email, password, operator, support, partyIds } = input
  const problems = [...found, ...(await problemsOf(() => parseInput(UserRequest, input)))]
  const isFine = (pointer: string) => problems.every((one) => one.pointer !== pointer)
  // Not looked at where another part of the input is malformed.
  if (operator && support && isFine('/support')) {
    problems.push({ pointer: '/support', detail: BOTH_ROLES })
  }
  if (password !== undefined && isFine('/password')) {
    problems.push(...(await problemsOf(() => requireHardToGuess(password, [email, name]))))
  }
  const named = partyIds.map((id, index) => ({ id, pointer: `/partyIds/${index}` }))
  problems.push(...(await holdOpenParties(db, named)))
  const known = UserEmail.safeParse(email)
  if (problems.length > 0 && known.success) {
    const count = await db.user.count({ where: { email: known.data } })
    if (count > 0) problems.push(inUse('/email'))
  }
  return problems
}
