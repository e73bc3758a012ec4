import { pager } from '../kit/action-list.ts'
import { emptyState } from '../kit/empty-state.ts'
import { controlView } from '../kit/fields.ts'
import { framePage } from '../kit/frame.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, PageShell } from '../shared/page/html-page.ts'
import { appCard, type Directory, type DirectorySearch } from './app-card.ts'
import { sharing } from './sharing.ts'

type DirectoryPageInput = PageShell &
  Directory & {
    search: DirectorySearch
    /** What cannot be read of the search: then nothing is listed. */
    problems: readonly FormProblem[]
    /** Public address of this server, without a trailing slash. */
    publicUrl: string
  }

const LEAD = 'See what an app does, its permissions and its price before you install it.'

/** The directory: every listed app, to be searched and filtered, or those that fit an account. */
export function directoryPage(input: DirectoryPageInput): HtmlPage {
  const { search, apps, next, installed, refused, problems, publicUrl } = input
  const content = html`
    ${searchForm(input)}
    ${chips(input)}
    ${
      apps.length === 0
        ? empty(isFiltered(input))
        : html`<ul class="cards">
            ${apps.map((app) =>
              appCard(app, { isInstalled: installed.has(app.id), refusal: refused.get(app.id) }),
            )}
          </ul>`
    }
    ${pager({ next: next !== undefined && { href: pathTo(search, next), label: 'More apps' } })}
    ${othersLine(input)}`
  return framePage({ console: 'marketplace', section: 'apps' }, input, {
    title: 'Apps',
    lead: LEAD,
    sharing:
      problems.length === 0 &&
      sharing({ title: 'Apps', description: LEAD, url: `${publicUrl}/Apps` }),
    content,
  })
}

/** The directory's own search, with what is looked for. */
function searchForm({ search, fits, problems }: DirectoryPageInput): Html {
  const preset = fits === undefined || fits === 'None' ? '' : fits
  const typed = new Map([
    ['q', search.q],
    ['partyType', search.partyType ?? preset],
  ])
  const attempt = { problems, typed }
  const choices = [
    ['', 'Everyone'],
    ['Buyer', 'Buyers'],
    ['Seller', 'Sellers'],
  ] as const
  return html`<form class="search" method="get" action="/Apps" role="search">
    ${controlView('q', { label: 'Search', kind: 'search' }, attempt)}
    ${controlView('partyType', { label: 'Offered to', kind: 'choice', choices }, attempt)}
    <button class="button primary" type="submit">Find apps</button>
  </form>`
}

function isFiltered({ search, problems }: DirectoryPageInput): boolean {
  return search.q !== '' || Boolean(search.partyType) || problems.length > 0
}

/** How many were found, and whom they are for, which a click takes back. */
function chips(input: DirectoryPageInput): Html | false {
  const { search, apps, next, fits } = input
  const whom =
    fits === 'None' ? 'your sandbox' : (search.partyType ?? fits) && `${search.partyType ?? fits}s`
  if (whom === undefined && !isFiltered(input)) return false
  const isPart = next !== undefined || search.after !== undefined
  return html`<p class="chips">
    ${
      whom !== undefined &&
      html`<a class="chip" href="${pathTo({ ...search, partyType: undefined })}">For ${whom}<span
      class="visually-hidden">: show apps for everyone</span></a>`
    }
    ${
      isFiltered(input) &&
      html`${apps.length > 0 && html`<span>${resultText(apps.length, isPart)}</span>`}
        <a href="/Apps">Show all apps</a>`
    }
  </p>`
}

function resultText(shown: number, isPart: boolean): string {
  return isPart ? `${shown} on this page.` : `${shown} ${shown === 1 ? 'app' : 'apps'} found.`
}

/** Leads from what fits an account to everything else. */
function othersLine({ search, fits, others }: DirectoryPageInput): Html | false {
  if (others === 0 || fits === undefined) return false
  const [whom, partyType] =
    fits === 'None'
      ? (['Buyers and Sellers', undefined] as const)
      : fits === 'Buyer'
        ? (['Sellers', 'Seller'] as const)
        : (['Buyers', 'Buyer'] as const)
  return html`<p class="muted">
    <a href="${pathTo({ ...search, partyType })}">${others} more ${others === 1 ? 'app' : 'apps'} for ${whom}</a>
  </p>`
}

function empty(filtered: boolean): Html {
  return html`<div class="card">
    ${
      filtered
        ? emptyState('search', 'No results. Change or clear the search.')
        : emptyState('apps', 'No apps yet. Apps appear here when developers list them.', {
            href: '/docs',
            label: 'How to publish an app',
          })
    }
  </div>`
}

/** The address of a search, or of a further page of it. */
function pathTo(
  { q, partyType }: Pick<DirectorySearch, 'q' | 'partyType'>,
  after?: string,
): string {
  const query = new URLSearchParams({
    ...(q === '' ? {} : { q }),
    ...(partyType === null ? {} : { partyType: partyType ?? '' }),
    ...(after === undefined ? {} : { after }),
  })
  return query.size === 0 ? '/Apps' : `/Apps?${query}`
}
