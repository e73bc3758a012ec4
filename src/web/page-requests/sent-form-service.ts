import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import {
  contextOf,
  dropExpired,
  type KeptDeps,
  type KeptOwner,
  ownerColumns,
} from './kept-form-service.ts'

/** One form as it was sent, and whose it is; `id` tells it from all others. */
export type SentForm = { id: string; owner: KeptOwner }

/** A server that dies leaves a form unanswered; it may be sent again then. */
const WORK_SECONDS = 60
/** Long enough for a second click, and for a browser that lost the answer. */
const ANSWERED_SECONDS = 120
/** Together less than 10 s. */
const WAITS_MS = [25, 50, 100, 200, 400, 800, 1600, 3000, 3000]
/** What stands in the row until there is an answer. */
const AT_WORK = ''
/** No page is there: a page never shows it. */
const PLACE = 'answer'

/**
 * Begins the work of a form, unless the same one was sent before: then waits for its answer.
 *
 * @returns the answer of the one that was sent before; undefined when the work is to be done now
 * @throws AppError unavailable when the other one takes too long
 */
export async function beginWork(deps: KeptDeps, form: SentForm): Promise<string | undefined> {
  await dropExpired(deps.db, deps.now())
  for (const wait of WAITS_MS) {
    if (await claim(deps, form)) return undefined
    const answer = await readAnswer(deps, form)
    if (answer !== undefined && answer !== AT_WORK) return answer
    await sleep(wait)
  }
  throw new AppError('unavailable', {
    detail:
      'The form was sent twice, and the first one is not done yet. Look at the result before you send it again.',
    retryAfterSeconds: 5,
    page: { title: 'This takes longer than usual' },
  })
}

/** Remembers the answer for when the same form comes again. */
export async function keepAnswer(deps: KeptDeps, form: SentForm, answer: string): Promise<void> {
  const data = { sealed: seal(deps, form, answer), expiresAt: inSeconds(deps, ANSWERED_SECONDS) }
  await deps.db.keptForm.updateMany({ where: whereOf(form), data })
}

/** Ends the work without an answer: the same form may be sent again. */
export async function dropWork({ db }: Pick<KeptDeps, 'db'>, form: SentForm): Promise<void> {
  await db.keptForm.deleteMany({ where: whereOf(form) })
}

/** Of two that come at once, one gets it. */
async function claim(deps: KeptDeps, form: SentForm): Promise<boolean> {
  const { userId = null, developerId = null } = ownerColumns(form.owner)
  const sealed = seal(deps, form, AT_WORK)
  const count = await deps.db.$executeRaw`
    INSERT INTO kept_forms (id, user_id, developer_id, sealed, once, expires_at)
    VALUES (${form.id}::uuid, ${userId}::uuid, ${developerId}::uuid, ${sealed}, true,
      ${inSeconds(deps, WORK_SECONDS)})
    ON CONFLICT (id) DO UPDATE
      SET sealed = EXCLUDED.sealed, expires_at = EXCLUDED.expires_at
      WHERE kept_forms.expires_at <= ${deps.now()}`
  return count === 1
}

async function readAnswer(deps: KeptDeps, form: SentForm): Promise<string | undefined> {
  const row = await deps.db.keptForm.findFirst({ where: whereOf(form) })
  if (row === null) return undefined
  return deps.secrets.decrypt(row.sealed, contextOf(form.owner, PLACE)).toString('utf8')
}

function seal({ secrets }: KeptDeps, { owner }: SentForm, answer: string) {
  return new Uint8Array(secrets.encrypt(Buffer.from(answer), contextOf(owner, PLACE)))
}

function whereOf({ id, owner }: SentForm) {
  return { id, ...ownerColumns(owner) }
}

function inSeconds({ now }: KeptDeps, seconds: number): Date {
  return new Date(now().getTime() + seconds * 1000)
}
