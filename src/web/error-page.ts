import { html } from './html.ts'
import { type PageShell, page } from './page.ts'

type ErrorPageInput = PageShell & {
  status: number
  /** What happened, in a few words. */
  title: string
  /** Why, and what to do next. */
  detail: string
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

/** The page for a browser whose request failed: what happened, what to do next, what to quote. */
export function errorPage(input: ErrorPageInput): string {
  const { status, title, detail, requestId, user, csrfToken, assetVersion, area } = input
  const action = input.action ?? WAYS_OUT[area ?? 'marketplace']
  const body = html`<section class="card" aria-labelledby="heading">
<p class="eyebrow">Error ${status}</p>
<h1 id="heading">${title}</h1>
<p class="lead">${detail}</p>
<p class="actions"><a class="button primary" href="${action.href}">${action.label}</a></p>
<p class="fine">If it keeps happening, tell the operator this request id: <code>${requestId}</code></p>
</section>`
  return page({ title, area, layout: 'narrow', user, csrfToken, assetVersion, body })
}
