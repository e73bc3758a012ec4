import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { listAsFile } from '../../base/concurrency/list-as-file.ts'
import { BYTE_ORDER_MARK, CSV_TYPE, csvLine } from '../../base/values/csv.ts'
import {
  COUNTED_IN_ROW_MAX,
  COUNTED_MAX,
  type Page,
  type PageRequest,
} from '../../base/values/page-of-list.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendStreamedFile } from '../../http/bodies/streamed-file.ts'
import { sendPage } from '../../http/send-page.ts'
import { listSavedViews } from '../../identity/accounts/saved-views-service.ts'
import { type ListColumn, listCount, pluralOf } from '../kit/columns.ts'
import type { Place, Shown } from '../kit/frame.ts'
import { type Chosen, type Filter, LIST_SIZES, type ListShown, listPage } from '../kit/list-page.ts'
import { type Choose, readChosen } from '../shared/forms/filter-params.ts'
import { filterReader } from '../shared/forms/filter-reading.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import type { Html } from '../shared/page/html.ts'
import { cursorOf, loadShown } from './list-pages.ts'
import { takeNotice } from './notices.ts'
import { checkReaderAgain, visitorOf, visitorShell } from './visitor.ts'

/** As many as fit a page of 30 kB. */
const PAGE_SIZE = 20

type Query = FastifyRequest<{ Querystring: FormFields }>

/** What a page of a list shows beside the entries. */
type Around = Pick<ListShown<never>, 'above' | 'total' | 'below'>

/** A list as a visitor gets it. */
type ListOf<Entry, Loaded extends Page<Entry>> = Omit<Shown, 'content'> & {
  place: Place
  /** The address of its page, where its route has parameters or the list has variants. */
  path?: string
  /** Whose it is: a cursor of one works for no other. */
  owner: readonly unknown[]
  /** The visitor's accounts whose entries it has: who has left one meanwhile gets no more of its file. */
  accountIds?: readonly number[]
  filters?: readonly Filter[]
  /** What the controls of the filters show, where the address does not name it. */
  typed?: FormFields
  choose?: readonly Choose[]
  load: (chosen: Chosen, page: PageRequest) => Promise<Loaded>
  /** How many there are, up to a number that means that or more. */
  count?: (chosen: Chosen, max: number) => Promise<number>
  columns: (chosen: Chosen) => readonly ListColumn<Entry>[]
  /** What can be done with several of the entries at once. */
  bulk?: (chosen: Chosen, entries: readonly Entry[]) => ListShown<Entry>['bulk']
  /** What the page shows in place of columns. */
  draw?: (loaded: Loaded) => Html
  /** The order that an address without one has, where it is one that can be asked for. */
  usual?: string
  /** Its files, where they have routes of their own: what a link says -> its path. */
  exports?: Readonly<Record<string, string>>
  /** What stands in the place of no entries, where no filter is the reason. */
  empty: Html
  /** In words the filters that no control shows, each with a space behind. */
  others?: (unseen: readonly [string, string][], chosen: Chosen) => Promise<Html>
  around?: (shown: {
    entries: readonly Entry[]
    isWhole: boolean
    chosen: Chosen
  }) => Promise<Around>
}

type ListRoute<Entry, Loaded extends Page<Entry>, Params extends z.ZodType> = {
  path: string
  params?: Params
  /** What an entry is called, in the count and in the name of the file; without it there is no file. */
  noun?: string
  pageSize?: number
  open: (
    request: Query,
    params: z.output<Params>,
  ) => ListOf<Entry, Loaded> | Promise<ListOf<Entry, Loaded>>
}

/** The page of a list with filters, order and number of entries, and its file (CSV). */
export function listRoutes<Entry, Loaded extends Page<Entry>, Params extends z.ZodType>(
  app: App,
  { path: route, params, noun, pageSize = PAGE_SIZE, open }: ListRoute<Entry, Loaded, Params>,
): void {
  const read = async (request: Query) => {
    const list = await open(request, request.params as z.output<Params>)
    const { filters = [], choose = [], columns, usual } = list
    const labels = Object.fromEntries(filters.map(({ name, label }) => [name, label]))
    const reader = filterReader(request.query, labels)
    const chosen = await readChosen(reader, choose)
    const orders = columns(chosen).flatMap(({ sort }) => (sort ? [sort, `-${sort}`] : []))
    const sort = reader.oneOf('sort', orders) ?? usual
    const size = reader.oneOf('size', LIST_SIZES)
    return { list, labels, chosen, sort, size, problems: reader.problems }
  }

  const schema = { hide: true, querystring: Fields, ...(params && { params }) }
  app.get(route, { schema }, async (request, reply) => {
    const { list, labels, chosen, sort, size, ...asked } = await read(request)
    const { owner, load, count: countOf, columns, bulk, draw, others, around, ...look } = list
    const { place, path = route, typed = request.query, usual = '' } = look
    const problems = asked.problems.map((problem) => withLinks(problem, request.url))
    const message = takeNotice(request, reply)?.text
    const visit = { ...visitorShell(request, reply), problems, message }
    const unseen = Object.entries(chosen).filter(([name]) => !Object.hasOwn(labels, name))
    const shown = { ...look, path, typed, chosen, sort: { by: sort ?? usual, usual }, size }
    if (problems.length > 0) {
      reply.code(422)
      const none = { entries: [], columns: [] }
      return sendPage(reply, listPage(place, visit, { ...shown, ...none }))
    }
    const max = Object.keys(chosen).length === 0 ? COUNTED_MAX : COUNTED_IN_ROW_MAX
    let loaded: Loaded | undefined
    const loadKept = async (page: PageRequest) => {
      loaded = await load(chosen, { ...page, ...(sort !== undefined && { sort }) })
      return loaded
    }
    const scope = ['list', path, owner, Object.entries(chosen).sort(), sort ?? null]
    const [{ entries, cursor, isContinued }, count, unseenWords, views] = await Promise.all([
      loadShown(request, scope, Number(size ?? pageSize), loadKept),
      countOf?.(chosen, max),
      unseen.length > 0 && others?.(unseen, chosen),
      listSavedViews(app.deps, visitorOf(request).id),
    ])
    const isWhole = cursor === undefined && !isContinued
    return sendPage(
      reply,
      listPage(place, visit, {
        ...shown,
        ...(await around?.({ entries, isWhole, chosen })),
        others: unseenWords || false,
        entries,
        cursor,
        from: cursorOf(request),
        isContinued,
        count: count === undefined || !noun ? undefined : listCount(count, max, noun),
        views: views.filter((view) => view.path === path),
        bulk: bulk?.(chosen, entries) ?? false,
        exports: look.exports ?? (noun ? { CSV: fileOf(path) } : {}),
        columns: draw
          ? () => draw(loaded as Loaded)
          : columns(chosen).filter(({ isOnlyInFile }) => !isOnlyInFile),
      }),
    )
  })

  if (noun === undefined) return
  listFileRoute(app, `${route}/Export`, { noun, ...(params && { params }) }, async (request) => {
    const { list, chosen, sort, problems } = await read(request)
    if (problems.length > 0) throw new AppError('unprocessable')
    return {
      columns: list.columns(chosen),
      load: (page) => list.load(chosen, { ...page, ...(sort !== undefined && { sort }) }),
      isForOperators: list.place.console === 'operator',
      ...(list.accountIds && { accountIds: list.accountIds }),
    }
  })
}

type FileOf<Entry> = {
  columns: readonly ListColumn<Entry>[]
  load: (page: PageRequest) => Promise<Page<Entry>>
  isForOperators?: boolean
  accountIds?: readonly number[]
  adminOf?: readonly number[]
}

/** The file of a list, for spreadsheets. Between its parts it is checked that the visitor may still read. */
export function listFileRoute<Entry>(
  app: App,
  path: string,
  { noun, params }: { noun: string; params?: z.ZodType },
  open: (request: Query) => Promise<FileOf<Entry>>,
): void {
  const schema = { hide: true, querystring: Fields, ...(params && { params }) }
  app.get(path, { schema }, async (request, reply) => {
    const { columns, load, ...readers } = await open(request)
    const inFile = columns.flatMap(({ label, value }) => (value ? [{ label, value }] : []))
    return sendStreamedFile(reply, {
      mediaType: CSV_TYPE,
      fileName: `${pluralOf(noun)}.csv`,
      userId: visitorOf(request).id,
      open: () =>
        listAsFile({
          head: BYTE_ORDER_MARK + csvLine(inFile.map(({ label }) => label)),
          read: load,
          lineOf: (entry) => csvLine(inFile.map(({ value }) => value(entry))),
          checkAgain: () => checkReaderAgain(request, readers),
        }),
    })
  })
}

/** The address of the file of a list, with what the address of its page says. */
function fileOf(path: string): string {
  const [page = '', query] = path.split('?', 2)
  return `${page}/Export${query === undefined ? '' : `?${query}`}`
}

/** A name that may mean a few, each with the address of the list with it in the filter. */
function withLinks(problem: FormProblem, url: string): FormProblem {
  const { field, choices } = problem
  if (field === undefined || choices === undefined) return problem
  const { searchParams } = new URL(url, 'http://localhost')
  const links = choices.map((choice) => {
    searchParams.set(field, choice.value)
    return { ...choice, href: `?${searchParams}` }
  })
  return { ...problem, choices: links }
}
