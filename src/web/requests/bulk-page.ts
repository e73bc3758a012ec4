import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import type { Place } from '../kit/frame.ts'
import { type FormProblem, sentence } from '../shared/forms/form-problems.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'
import { html } from '../shared/page/html.ts'
import { formPage } from './form-page.ts'
import type { FormWork } from './form-work.ts'
import { leaveNotice } from './notices.ts'

const CHOSEN_MAX = 100
/** The query of a list is short; what is longer was made up. */
const FROM_MAX = 1000
/** What is wrong with one thing, and not with the others. */
const OF_ONE = [404, 409, 422]

/** Something that can be chosen. */
type Named = { name: string }

export type BulkPage<Params extends z.ZodType, One extends Named> = Pick<
  FormWork<Params>,
  'path' | 'params' | 'config'
> & {
  fields?: Exclude<FormWork<Params>['fields'], (request: FastifyRequest) => unknown>
  place: Place
  /** What the button says, and what has become of things then: `Suspend`, `suspended`. */
  verb: string
  done: string
  /** What one thing is called, and several. */
  nouns: readonly [one: string, several: string]
  kind?: 'primary' | 'danger'
  consequences: readonly string[]
  /** The list that the things are chosen from. */
  list(params: z.output<Params>): { href: string; label: string }
  /** An id as it is stored. */
  id: z.ZodType<string>
  /** Those that there are of these, and that the visitor may change: id -> thing. */
  find(
    request: FastifyRequest,
    ids: readonly string[],
    params: z.output<Params>,
  ): Promise<ReadonlyMap<string, One>>
  /** Reads the form, and returns what is done with each thing: the same as its own page does. */
  begin(
    request: FastifyRequest,
    typed: FormFields,
    params: z.output<Params>,
  ): (id: string, one: One) => Promise<unknown>
}

/**
 * A page that asks before something is done with all that was chosen in a list, and does it: with one
 * after the other, each by itself. What could not be done is shown again, with the reasons.
 */
export function bulkPage<Params extends z.ZodType, One extends Named>(
  app: App,
  bulk: BulkPage<Params, One>,
): void {
  const { verb, done, nouns, place, path, consequences, kind = 'primary' } = bulk
  const { params: schema, config, fields = {} } = bulk
  const counted = (count: number) => `${count} ${count === 1 ? nouns[0] : nouns[1]}`

  const chosenOf = async (
    request: FastifyRequest,
    typed: FormFields,
    params: z.output<Params>,
  ): Promise<Chosen<One>> => {
    const sent = sentIds(request, typed)
    const ids = new Set(sent)
    const valid = [...ids].flatMap((id) => bulk.id.safeParse(id).data ?? [])
    const found = await bulk.find(request, sent.length > CHOSEN_MAX ? [] : valid, params)
    const list = bulk.list(params)
    const from = typed.get('from') ?? ''
    const isOwn = from !== '' && from.length <= FROM_MAX
    const back = isOwn ? { ...list, href: `${list.href}?${new URLSearchParams(from)}` } : list
    const gone = ids.size - found.size
    return {
      found,
      gone,
      back,
      hidden: isOwn ? { from } : {},
      unfit: unfit(sent.length, found.size),
    }
  }
  /** Why there is nothing to ask about. */
  const unfit = (sent: number, found: number): string | undefined => {
    if (sent === 0) return `Choose at least one ${nouns[0]}.`
    if (sent > CHOSEN_MAX) return `Choose at most ${CHOSEN_MAX} ${nouns[1]}.`
    return found === 0 ? 'What you chose is not here any more. Choose again.' : undefined
  }
  const goneText = (gone: number) =>
    `${gone} of those you chose ${gone === 1 ? 'is' : 'are'} not here any more.`

  formPage(app, {
    path,
    ...(schema && { params: schema }),
    ...(config && { config }),
    place,
    fields,
    refused: ['unprocessable'],
    async page(request, typed, reply, params, again) {
      const { found, gone, back, hidden, unfit: text } = await chosenOf(request, typed, params)
      if (text !== undefined) {
        leaveNotice(request, reply, back.href, { text }).redirect(back.href, 303)
        return undefined
      }
      const title = `${verb} ${counted(found.size)}`
      return {
        title,
        back,
        kind,
        consequences,
        button: title,
        hidden: { ...hidden, ids: [...found.keys()].join(' ') },
        intro: html`<h2>${counted(found.size)}</h2>
<ul class="bullets">${[...found.values()].map(({ name }) => html`<li><bdi>${name}</bdi></li>\n`)}</ul>
`,
        above:
          gone > 0 &&
          again === undefined &&
          html`<div class="notice warning"><p>${goneText(gone)}</p></div>`,
      }
    },
    async submit(request, typed, params) {
      const { found, gone, back, hidden, unfit: text } = await chosenOf(request, typed, params)
      if (text !== undefined) return { path: back.href, text }
      if (gone > 0) {
        const problem = `${goneText(gone)} Nothing was done: check the list, then send the form again.`
        return { status: 409, problems: [{ field: undefined, text: problem }] }
      }
      const act = bulk.begin(request, typed, params)
      const left = new Map<string, { id: string; name: string }[]>()
      for (const [id, one] of found) {
        try {
          await act(id, one)
        } catch (error) {
          const why = whyNot(error)
          left.set(why, [...(left.get(why) ?? []), { id, name: one.name }])
        }
      }
      const undone = [...left.values()].flat()
      const count = found.size - undone.length
      const told = `${counted(count)} ${count === 1 ? 'was' : 'were'} ${done}`
      if (undone.length === 0) return { path: back.href, text: `${told}.` }
      const reasons = [...left].map(([why, things]) => problemOf(things, why))
      const summary = `${told}, ${undone.length} ${undone.length === 1 ? 'was' : 'were'} not.`
      return {
        left: new Map([
          ...typed,
          ...Object.entries(hidden),
          ['ids', undone.map(({ id }) => id).join(' ')],
        ]),
        problems: [{ field: undefined, text: summary }, ...reasons],
      }
    },
  })
}

type Chosen<One> = {
  found: ReadonlyMap<string, One>
  /** How many were chosen that are not among them. */
  gone: number
  back: { href: string; label: string }
  hidden: { from?: string }
  unfit: string | undefined
}

/** The ids of a form that was sent, or of the address that a list leads to; one more than allowed. */
function sentIds({ url }: FastifyRequest, typed: FormFields): string[] {
  const sent = typed.get('ids')
  if (sent !== undefined) return sent === '' ? [] : sent.split(' ', CHOSEN_MAX + 1)
  const { searchParams } = new URL(url, 'http://localhost')
  return searchParams.getAll('id').slice(0, CHOSEN_MAX + 1)
}

/** @throws the error itself, when it is not about the one thing */
function whyNot(error: unknown): string {
  if (!(error instanceof AppError && OF_ONE.includes(error.status))) throw error
  return sentence(error.message)
}

function problemOf(things: readonly Named[], why: string): FormProblem {
  return { field: undefined, text: `${things.map(({ name }) => name).join(', ')}: ${why}` }
}
