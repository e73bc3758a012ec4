import { type AppError, ERROR_CODES } from '../errors.ts'
import { html } from './html.ts'
import { type PageShell, page } from './page.ts'

type ErrorPageInput = PageShell & {
  status: number
  /** What happened, in a few words. */
  title: string
  /** Why, and what to do next; nothing where the title says it all. */
  detail: string | undefined
  requestId: string
  /** Whose pages the address belongs to; the marketplace's unless given. */
  area?: 'marketplace' | 'developers' | undefined
  /** The way out; without one the page leads back to the start. `href` is a path of this site. */
  action?: { href: string; label: string } | undefined
}

const WAYS_OUT = {
  marketplace: { href: '/', label: 'Go to the start page' },
  developers: { href: '/Developer', label: 'Go to your apps' },
}

/**
 * What a page says of an error: the words of the API, except where they are about requests and
 * headers, which nobody sees in a browser.
 *
 * @param url path and query of the request
 */
export function errorWords(
  error: AppError,
  url: string,
): Pick<ErrorPageInput, 'title' | 'detail' | 'action'> {
  if (error.code === 'invalid_cursor') {
    return {
      title: 'This page of the list is no longer valid',
      detail: 'Begin at the first page.',
      action: { href: withoutCursor(url), label: 'Go to the first page' },
    }
  }
  const { title } = ERROR_CODES[error.code]
  const said = error.message === title ? undefined : error.message
  if (error.code === 'not_found') {
    const advice = 'Check the address. What you look for may be gone, or belong to another account.'
    return { title, detail: said ?? advice }
  }
  const path = url.split('?', 1)[0] ?? '/'
  // Of the addresses that take forms only those of the sign-outs show no page.
  if (error.code === 'invalid_csrf_token' && !/\/logout\/?$/i.test(path)) {
    return { title, detail: said, action: { href: path, label: 'Open the page again' } }
  }
  return { title, detail: said }
}

function withoutCursor(url: string): string {
  const { pathname, searchParams } = new URL(url, 'http://local')
  searchParams.delete('cursor')
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`
}

/** The page for a browser whose request failed: what happened, what to do next, what to quote. */
export function errorPage(input: ErrorPageInput): string {
  const { status, title, detail, requestId, user, csrfToken, assetVersion, area } = input
  const action = input.action ?? WAYS_OUT[area ?? 'marketplace']
  const body = html`<section class="card" aria-labelledby="heading">
<p class="eyebrow">Error ${status}</p>
<h1 id="heading">${title}</h1>
${detail !== undefined && html`<p class="lead">${detail}</p>`}
<p class="actions"><a class="button primary" href="${action.href}">${action.label}</a></p>
<p class="fine">If it keeps happening, tell the operator this request id: <code>${requestId}</code></p>
</section>`
  return page({ title, area, layout: 'narrow', user, csrfToken, assetVersion, body })
}
