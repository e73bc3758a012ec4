import { type AppError, ERROR_CODES, type ErrorCode } from '../../../errors.ts'
import { type Html, html } from './html.ts'
import { csrfField, type HtmlPage, type PageShell, page } from './html-page.ts'

type ErrorPageInput = PageShell & {
  status: number
  /** What happened, in a few words. */
  title: string
  /** Why, and what to do next; nothing where the title says it all. */
  detail: string | undefined
  requestId: string
  /** Whose pages the address belongs to; the marketplace's unless given. */
  area?: 'marketplace' | 'developers' | undefined
  /** The way out; without one the page leads back to the start. */
  action?: Way | undefined
  /** Further ways on, before the way out. */
  more?: readonly Way[] | undefined
  /** Where the sign-in of somebody else leads who may have more luck there, if so. */
  otherNext?: string | undefined
  /** False where nothing has failed. */
  isFault?: boolean | undefined
}

type Way = { href: string; label: string }

/** What browsers are told in other words than programs. */
const PAGE_TITLES: Partial<Record<ErrorCode, string>> = {
  not_found: 'Page not found',
  unprocessable: 'This cannot be done',
  invalid_request: 'This address or form is not valid',
  method_not_allowed: 'Page not found',
  unavailable: 'The marketplace is not available right now',
  internal_error: 'Something went wrong',
  payload_too_large: 'The form is too large',
}

const WAYS_OUT = {
  marketplace: { href: '/', label: 'Go to the start page' },
  developers: { href: '/Developer', label: 'Go to your apps' },
}

/** Lists that whoever looked for an entry of theirs, which is gone, goes on to. */
const LISTS: readonly Way[] = [
  { href: '/Apps', label: 'Browse the apps' },
  { href: '/Installed', label: 'View installed apps' },
  { href: '/Account/Members', label: 'View members' },
  { href: '/Account/Requests', label: 'View install requests' },
  { href: '/Developer/Credentials', label: 'View credentials' },
  { href: '/Developer/Installations', label: 'View installations' },
  { href: '/Developer/Members', label: 'View members' },
  { href: '/Operator/Apps', label: 'View apps' },
  { href: '/Operator/Developers', label: 'View developers' },
  { href: '/Operator/Installations', label: 'View installations' },
  { href: '/Operator/Parties', label: 'View accounts' },
  { href: '/Operator/Users', label: 'View users' },
]

type Failed = {
  /** Path and query of the request. */
  url: string
  /** How much the form may have that was sent there. */
  bodyLimitBytes: number
  /** Whether the request was a form that a page has sent. */
  isForm: boolean
}

/**
 * What a page says of an error: the words of the API, except where they are about requests and
 * headers, which nobody sees in a browser.
 */
export function errorWords(
  error: AppError,
  { url, bodyLimitBytes, isForm }: Failed,
): Pick<ErrorPageInput, 'title' | 'detail' | 'action' | 'more' | 'otherNext' | 'isFault'> {
  if (error.code === 'invalid_cursor') {
    return {
      title: 'This page of the list has expired',
      detail: 'Start again at the first page.',
      action: { href: withoutCursor(url), label: 'Go to the first page' },
    }
  }
  const said = error.message === ERROR_CODES[error.code].title ? undefined : error.message
  const { page: words, retryAfterSeconds } = error.options
  if (words !== undefined) {
    const [action, ...more] = words.ways ?? []
    const otherNext = words.asksForOther && url
    return { title: words.title, detail: said, action, more, otherNext, isFault: words.isFault }
  }
  const title = PAGE_TITLES[error.code] ?? ERROR_CODES[error.code].title
  if (retryAfterSeconds !== undefined) {
    // A link to the form would lose what was typed into it; a reload sends it once more.
    const then = isForm ? 'reload this page to send the form again' : 'try again'
    const wait = `Wait ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}, then ${then}.`
    const detail = said === undefined ? wait : `${said} ${wait}`
    return { title, detail, action: isForm ? undefined : { href: url, label: 'Try again' } }
  }
  if (error.code === 'payload_too_large') {
    const advice = `Go back and shorten its text. It can have up to ${bodyLimitBytes / 1024} KiB.`
    return { title, detail: said ?? advice }
  }
  const path = url.split('?', 1)[0] ?? '/'
  if (error.code === 'not_found') {
    const list = LISTS.find(({ href }) => path.toLowerCase().startsWith(`${href.toLowerCase()}/`))
    const more = list && [list]
    if (isForm) {
      const why = said ?? 'What this form is about was removed, or you have lost access to it.'
      const detail = `${why} Nothing was changed.`
      return { title: 'No longer available', detail, more, isFault: false }
    }
    const advice =
      'Check the address. The page may have been removed, or belong to another account.'
    return { title, detail: said ?? advice, more }
  }
  // All addresses that take forms show a page, too, except those of the sign-outs.
  if (error.code === 'invalid_csrf_token' && !/\/logout\/?$/i.test(path)) {
    return { title, detail: said, action: { href: url, label: 'Open the page again' } }
  }
  return { title, detail: said }
}

function button({ href, label }: Way): Html {
  return html`<a class="button" href="${href}">${label}</a> `
}

function withoutCursor(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://local')
  searchParams.delete('cursor')
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

/** The page for a browser whose request failed: what happened, what to do next, what to quote. */
export function errorPage(input: ErrorPageInput): HtmlPage {
  const { status, title, detail, requestId, user, csrfToken, assetVersion } = input
  const { isFault = true, otherNext, area = 'marketplace' } = input
  const seesConsole = user?.operator === true || user?.support === true
  const more = input.more?.filter(({ href }) => seesConsole || !href.startsWith('/Operator/'))
  const out = WAYS_OUT[area]
  const [first, ...others] = [input.action ?? out, ...(more ?? [])]
  const other =
    otherNext !== undefined &&
    csrfToken !== undefined &&
    html`<form method="post" action="/logout">
${csrfField(csrfToken)}<input type="hidden" name="next" value="${otherNext}"><button class="button"
type="submit">Sign in as another user</button></form>`
  const body = html`<section class="card" aria-labelledby="heading">
<h1 id="heading">${title}</h1>
${detail !== undefined && html`<p class="lead">${detail}</p>`}
<div class="actions">
<a class="button primary" href="${first.href}">${first.label}</a>
${others.map(button)}${other}${more !== undefined && first !== out && button(out)}</div>
${
  isFault &&
  status >= 500 &&
  html`<p class="fine">
If this keeps happening, give the operator this request ID: <code>${requestId}</code></p>`
}</section>`
  return page({ title, layout: 'narrow', user, csrfToken, assetVersion, body })
}

/** The page for a browser that sends too much with every request, whoever is signed in. */
export function longHeadersPage({
  requestId,
  assetVersion,
}: Pick<ErrorPageInput, 'requestId' | 'assetVersion'>): HtmlPage {
  return errorPage({
    user: null,
    csrfToken: undefined,
    status: ERROR_CODES.headers_too_large.status,
    title: 'Your browser sent too much',
    detail:
      'Delete the cookies of this site in the settings of your browser, then open the page again. ' +
      'If its address is very long, ask for a shorter one.',
    requestId,
    assetVersion,
  })
}
