import { shownEmail } from '../../../base/values/email.ts'
import { bell } from './bell.ts'
import { type Html, html, lengthOf, pieces } from './html.ts'
import type { PageParty } from './page-party.ts'

const PRODUCT_NAME = 'App Marketplace'

/** Who is signed in, as the pages show it. */
type PageUser = {
  name: string
  /** The email address. */
  signInName: string
  /** How many notifications are unread. */
  unread?: number | undefined
  operator?: boolean
  /** Whether the operator console is open to look at only. */
  support?: boolean | undefined
  /** Whether the developer console is open to the user, too. */
  worksForDevelopers?: boolean | undefined
  /** In the developer console: whether people and credentials are the user's to manage. */
  owns?: boolean | undefined
  /**
   * What the pages are about: for a user of several accounts the chosen one, or all; for a person in
   * the developer console the developer.
   */
  account?: { name: string | undefined; switchPath: string } | undefined
}

/** What every page takes beside its own content. */
export type PageShell = {
  user?: PageUser | null | undefined
  /** Needed wherever a form is shown; without it the header has no sign-out button. */
  csrfToken?: string | undefined
  /** Changes when a file under `assets/` does, so that those can be cached for ever. */
  assetVersion?: string | undefined
}

/** What a page of a signed-in user takes. */
export type UserShell = { user: PageUser; csrfToken: string; assetVersion: string }

/** Parts of the site with a navigation of their own. Links without `for` show to who is signed in. */
const AREAS = {
  marketplace: {
    links: [
      { section: 'apps', href: '/Apps', label: 'Apps', for: 'anybody' },
      { section: 'installed', href: '/Installed', label: 'Installed' },
      { section: 'account', href: '/Account', label: 'Account' },
      { section: 'developer', href: '/Developer', label: 'Developer', for: 'developers' },
      { section: 'operator', href: '/Operator', label: 'Operator', for: 'operators' },
    ],
  },
  developers: {
    links: [
      { section: 'own-apps', href: '/Developer', label: 'Apps' },
      { section: 'installations', href: '/Developer/Installations', label: 'Installations' },
      { section: 'events', href: '/Developer/Events', label: 'Events' },
      { section: 'people', href: '/Developer/Members', label: 'Members' },
      {
        section: 'credentials',
        href: '/Developer/Credentials',
        label: 'Credentials',
        for: 'owners',
      },
      { section: 'docs', href: '/docs', label: 'Docs', for: 'anybody' },
      { section: 'marketplace', href: '/', label: 'Marketplace', for: 'developers' },
      { section: 'console', href: '/Operator', label: 'Operator', for: 'operators' },
    ],
  },
} as const satisfies Record<string, Area>

type Area = {
  links: readonly {
    section: string
    href: string
    label: string
    for?: Audience
  }[]
}

type Audience = 'anybody' | 'operators' | 'developers' | 'owners'

/** Links of the headers. */
export type SiteSection = (typeof AREAS)[keyof typeof AREAS]['links'][number]['section']

type PageInput = PageShell & {
  title: string
  /** Whether a form was refused: the title says so first. */
  hasProblems?: boolean
  body: Html
  /** `narrow` centres one card (sign-in, choices, errors); `wide` is for lists, `form` for long forms. */
  layout?: 'narrow' | 'wide' | 'form' | 'docs'
  /** Whose pages these are; the marketplace's unless given. */
  area?: keyof typeof AREAS | undefined
  /** The link of the header that leads to the page. */
  section?: SiteSection | undefined
  /** Navigation between the header and the content; the skip link passes over it. */
  nav?: Html | undefined
  /** What search engines and links elsewhere say of the page. */
  sharing?: Html | false | undefined
}

/** A whole HTML document, which is written when it is sent. */
export type HtmlPage = {
  /** The characters of its texts before they are escaped, which makes each six at most. */
  readonly length: number
  /** Its text, in parts that each take a few milliseconds. */
  pieces(): Iterable<string>
}

/**
 * A whole HTML document. It holds no inline script or style and nothing from other origins, so
 * it works under `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'`. The script
 * adds comfort: every page works without it. The referrer policy is the response header's: a
 * `no-referrer` here would make browsers send `Origin: null` with forms.
 */
export function page(input: PageInput): HtmlPage {
  const { title, hasProblems, body, assetVersion, nav, sharing, layout = 'wide' } = input
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${hasProblems && 'Error: '}${title} · ${PRODUCT_NAME}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${sharing}
<link rel="icon" type="image/svg+xml" href="${assetPath('icon.svg', assetVersion)}">
<link rel="stylesheet" href="${assetPath(layout === 'docs' ? 'docs.css' : 'style.css', assetVersion)}">
<script src="${assetPath('script.js', assetVersion)}" defer></script>
</head>
<body>
<a class="skip-link" href="#main">Skip to content</a>
${siteHeader(input)}
${nav}
<main id="main" class="${layout}" tabindex="-1">
${body}
</main>
<footer class="site-footer">
<div class="bar"><span>${PRODUCT_NAME}</span>
<nav class="footer-links" aria-label="Footer"><a href="/Developer">Developers</a><a href="/docs">API documentation</a>
</nav></div>
</footer>
</body>
</html>
`
  return {
    length: lengthOf(document),
    pieces: () => pieces(document),
  }
}

/** The header of a page: where to go, and who is signed in. */
export function siteHeader(input: PageShell & Pick<PageInput, 'area' | 'section'>): Html {
  const { user, csrfToken, assetVersion, section } = input
  const area: Area = AREAS[input.area ?? 'marketplace']
  return html`<header class="site-header">
<div class="bar">
<a class="brand" href="/"><img src="${assetPath('icon.svg', assetVersion)}" alt="" width="32" height="32"><span>${PRODUCT_NAME}</span></a>
${siteNav(area, { user, section })}
${user ? userMenu(user, csrfToken) : html`<a class="button small sign-in" href="/login">Sign in</a>`}</div>
</header>`
}

/** The hidden field that every form with method POST carries. */
export function csrfField(csrfToken: string): Html {
  return html`<input type="hidden" name="_csrf" value="${csrfToken}">`
}

/** Number of `tone-*` classes in the stylesheet. */
const TONES = 6

/** A coloured square with the first letter of a name; decoration, hidden from screen readers. */
export function tile(name: string): Html {
  let sum = 0
  for (const character of name) sum = (sum * 131 + (character.codePointAt(0) ?? 0)) % 9973
  return html`<span class="tile tone-${sum % TONES}" aria-hidden="true">${initial(name)}</span>`
}

/** The party's type as users read it; `None` is a developer's sandbox. */
export function partyBadge(type: PageParty['partyType']): Html {
  return typeBadge(type === 'None' ? 'Sandbox' : type)
}

function initial(name: string): string {
  const letters = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(name.trim())
  const first = letters[Symbol.iterator]().next().value?.segment ?? '?'
  // A grapheme may be a long run of combining marks.
  return first.length > 16 ? '?' : first.toUpperCase()
}

function siteNav(
  { links }: Area,
  { user, section: current }: Pick<PageInput, 'user' | 'section'>,
): Html {
  const shown = links.filter((link) => isFor(link.for, user))
  return html`<nav class="site-nav"
aria-label="Main">${shown.map(
    ({ section, href, label }) => html`<a
href="${href}"${section === current && html` aria-current="page"`}>${label}</a>`,
  )}${user?.account && accountSwitch(user.account)}</nav>
`
}

function isFor(audience: Audience | undefined, user: PageUser | null | undefined): boolean {
  switch (audience) {
    case 'anybody':
      return true
    case 'operators':
      return user?.operator === true || user?.support === true
    case 'developers':
      return user?.worksForDevelopers === true
    case 'owners':
      return user?.owns === true
    case undefined:
      return Boolean(user)
  }
}

function accountSwitch({ name, switchPath }: NonNullable<PageUser['account']>): Html {
  return html`<a class="switch" href="${switchPath}">For
${name === undefined ? 'all accounts' : html`<bdi>${name}</bdi>`}<span class="visually-hidden">: switch
account</span><span aria-hidden="true"> ▾</span></a>`
}

function userMenu(user: PageUser, csrfToken: string | undefined): Html {
  return html`<div class="user-menu">${user.unread !== undefined && bell(user.unread)}<span class="who"><span class="visually-hidden">Signed in as
</span><bdi class="who-name">${user.name}</bdi> <bdi class="who-email">${shownEmail(user.signInName)}</bdi></span>
${
  csrfToken !== undefined &&
  html`<form method="post" action="/logout">${csrfField(csrfToken)}<button class="button small" type="submit">Sign out</button>
</form>`
}</div>`
}

function assetPath(name: string, version: string | undefined): string {
  return version ? `/assets/${name}?v=${encodeURIComponent(version)}` : `/assets/${name}`
}
