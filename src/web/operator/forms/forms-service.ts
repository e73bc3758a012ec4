import type { z } from 'zod'
import type { Actor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import type { RecentFactor } from '../../../identity/auth/second-factor/factor-policy-service.ts'
import type { FormSpec } from '../../kit/fields.ts'

/** What was typed into a form: name of the field -> text. */
export type Typed = ReadonlyMap<string, string>

/** A password or a link to be shown this once, with what it belongs to. */
type Secret = { title: string; what?: string; facts: Readonly<Record<string, string>> }

/** What a form has done: a sentence, or a secret. */
type Outcome = { done: string } | Secret

/**
 * A form on the page of one thing.
 *
 * @throws AppError whose problems are shown beside its fields; not_found
 */
export type RecordForm = (deps: Deps, id: string, typed: Typed, actor: Actor) => Promise<Outcome>

/** The page of a form: whose page it leads back to, and what the form shows before anybody types. */
type FormAsked = {
  title: string
  lead?: string
  owner: string
  button: string
  kind?: 'danger'
  /** What it does, a sentence each, where that is said before a last word. */
  consequences?: readonly string[]
  stored?: Readonly<Record<string, string>>
  hidden?: Readonly<Record<string, string>>
}

/** A form with a page of its own. @throws AppError not_found */
export type RecordFormPage = {
  fields: FormSpec
  ask: (deps: Deps, id: string, typed: Typed) => Promise<FormAsked>
}

/** The forms of a thing: the last part of a form's address -> what it does; without a page it is a button. */
export type RecordForms = Readonly<
  Record<string, { submit: RecordForm; page?: RecordFormPage } & AsksForFactor>
>

/** Whether a code of the last ten minutes is asked for. */
export type AsksForFactor = { recentFactor: RecentFactor }

/** What is asked before something is removed: what happens, and to whose page it leads back. */
type Question = { title: string; effect: string; button: string; owner: string }

/** The ids in an address: of the thing, and of what belongs to it. */
type RecordIds = { id: string } & Readonly<Record<string, string>>

/** Something that is removed from the page of another thing, after a last word. */
export type Removal<Ids extends RecordIds = RecordIds> = AsksForFactor & {
  /** Where it is, after the page of the thing. */
  path: string
  params: z.ZodType<Ids>
  /** Where it leads, when the page of the thing is gone too. */
  leadsTo?: string
  /** @throws AppError not_found when there is nothing to remove */
  ask(deps: Deps, ids: Ids): Promise<Question>
  /** @returns a sentence that says what was done */
  remove(deps: Deps, ids: Ids, actor: Actor): Promise<string>
}

/** A name as it was typed, and whether it is meant though another one has it. */
export function namedIn(typed: Typed) {
  return { input: { name: typed.get('name') ?? '' }, allowSameName: typed.get('again') === 'true' }
}

/** What was typed into a field; undefined when it was left empty. */
export function filled(typed: Typed, name: string): string | undefined {
  const text = typed.get(name)
  return text === '' ? undefined : text
}
