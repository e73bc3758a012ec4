import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import { dropExpired, type KeptDeps } from './kept-form-service.ts'

/** A server that dies leaves a form unanswered; it may be sent again then. */
const WORK_SECONDS = 60
/** Long enough for a second click, and for a browser that lost the answer. */
const ANSWERED_SECONDS = 120
/** Together less than 10 s. */
const WAITS_MS = [25, 50, 100, 200, 400, 800, 1600, 2500, 2500]
/** What stands in the row until there is an answer. */
const AT_WORK = ''

/**
 * Begins the work of a form, unless the same one was sent before: then waits for its answer.
 *
 * @param id tells the form as it was sent from all others; who does not have the form cannot guess it
 * @returns the answer of the one that was sent before; undefined when the work is to be done now
 * @throws AppError unavailable when the other one takes too long
 */
export async function beginWork(deps: KeptDeps, id: string): Promise<string | undefined> {
  await dropExpired(deps.db, deps.now())
  for (const wait of WAITS_MS) {
    if (await claim(deps, id)) return undefined
    const answer = await readAnswer(deps, id)
    if (answer !== undefined && answer !== AT_WORK) return answer
    await sleep(wait)
  }
  throw takesTooLong()
}

/**
 * The answer of a form that must not be acted upon any more, such as one whose session has ended.
 *
 * @returns undefined when it was not sent before, or has failed
 * @throws AppError unavailable when the one that was sent before takes too long
 */
export async function answerBefore(deps: KeptDeps, id: string): Promise<string | undefined> {
  for (const wait of WAITS_MS) {
    const answer = await readAnswer(deps, id)
    if (answer !== AT_WORK) return answer
    await sleep(wait)
  }
  throw takesTooLong()
}

/** Remembers the answer for when the same form comes again. */
export async function keepAnswer(deps: KeptDeps, id: string, answer: string): Promise<void> {
  const data = { sealed: seal(deps, id, answer), expiresAt: inSeconds(deps, ANSWERED_SECONDS) }
  await deps.db.keptForm.updateMany({ where: { id }, data })
}

/** Ends the work without an answer: the same form may be sent again. */
export async function dropWork({ db }: Pick<KeptDeps, 'db'>, id: string): Promise<void> {
  await db.keptForm.deleteMany({ where: { id } })
}

/** Takes a form for its work: when it comes twice at once, one request gets it. */
async function claim(deps: KeptDeps, id: string): Promise<boolean> {
  const sealed = seal(deps, id, AT_WORK)
  const count = await deps.db.$executeRaw`
    INSERT INTO kept_forms (id, sealed, once, expires_at)
    VALUES (${id}::uuid, ${sealed}, true, ${inSeconds(deps, WORK_SECONDS)})
    ON CONFLICT (id) DO UPDATE
      SET sealed = EXCLUDED.sealed, expires_at = EXCLUDED.expires_at
      WHERE kept_forms.expires_at <= ${deps.now()}`
  return count === 1
}

async function readAnswer(deps: KeptDeps, id: string): Promise<string | undefined> {
  const where = { id, userId: null, expiresAt: { gt: deps.now() } }
  const row = await deps.db.keptForm.findFirst({ where })
  return row === null ? undefined : deps.secrets.decrypt(row.sealed, contextOf(id)).toString('utf8')
}

function takesTooLong(): AppError {
  return new AppError('unavailable', {
    detail:
      'The form was sent twice, and the first one is not done yet. Look at the result before you send it again.',
    retryAfterSeconds: 5,
    page: { title: 'This takes longer than usual' },
  })
}

function seal({ secrets }: KeptDeps, id: string, answer: string) {
  return new Uint8Array(secrets.encrypt(Buffer.from(answer), contextOf(id)))
}

/** The answer opens for the one form only. */
function contextOf(id: string): string {
  return `sent form:${id}`
}

function inSeconds({ now }: KeptDeps, seconds: number): Date {
  return new Date(now().getTime() + seconds * 1000)
}
