import { shownEmail } from '../../../base/values/email.ts'
import { personAvatar } from '../../kit/avatar.ts'
import { typeBadge } from '../../kit/badge.ts'
import { bell } from './bell.ts'
import { type Html, html, lengthOf, pieces } from './html.ts'
import type { PageParty } from './page-party.ts'
import { searchLink } from './search-link.ts'

const PRODUCT_NAME = 'App Marketplace'

/** Who is signed in, as the pages show it. */
type PageUser = {
  name: string
  /** The email address. */
  signInName: string
  /** How many notifications are unread. */
  unread?: number | undefined
  /** How many later versions of installed apps wait. */
  upgrades?: number | undefined
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

/** What a page belongs to: links of the header and its menu, and parts of the developer console. */
export type SiteSection =
  | ('apps' | 'installed' | 'account' | 'developer' | 'operator')
  | ('own-apps' | 'installations' | 'events' | 'people' | 'credentials' | 'docs')

type PageInput = PageShell & {
  title: string
  /** Whether a form was refused: the title says so first. */
  hasProblems?: boolean
  /** What has just happened: else the title says that first. */
  told?: string | undefined
  body: Html
  /** `narrow` centres one card (sign-in, choices, errors); `wide` is for lists, `form` for long forms. */
  layout?: 'narrow' | 'wide' | 'form' | 'docs'
  /** The link of the header that leads to the page. */
  section?: SiteSection | undefined
  /** Navigation between the header and the content; the skip link passes over it. */
  nav?: Html | undefined
  /** What search engines and links elsewhere say of the page. */
  sharing?: Html | false | undefined
}

/** Developers who are not signed in find their console here; the others have it in their menu. */
function footerWay({ user }: PageInput): Html {
  return !user
    ? html`<a href="/Developer">Developers</a>`
    : html`<a href="/docs/build-an-app">Build an app</a>`
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
  const { title, hasProblems, told, body, assetVersion, nav, sharing, layout = 'wide' } = input
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${hasProblems ? 'Error: ' : told && `${told} · `}${title} · ${PRODUCT_NAME}</title>
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
<nav class="footer-links" aria-label="Footer">${footerWay(input)}<a href="/docs">API documentation</a>
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

/** The header of a page in one row: where to go, for which account, and the menu of who is signed in. */
export function siteHeader(input: PageShell & Pick<PageInput, 'section'>): Html {
  const { user, csrfToken, assetVersion, section } = input
  const link = (of: SiteSection, href: string, label: string | Html) =>
    html`<a href="${href}"${section === of && html` aria-current="page"`}>${label}</a>`
  return html`<header class="site-header">
<div class="bar">
<a class="brand" href="/"><img src="${assetPath('icon.svg', assetVersion)}" alt="" width="32" height="32"><span>${PRODUCT_NAME}</span></a>
<nav class="site-nav" aria-label="Main">${link('apps', '/Apps', 'Apps')}${
    user && link('installed', '/Installed', html`Installed${upgradesMark(user.upgrades)}`)
  }</nav>
${searchLink}
${user?.account && accountSwitch(user.account)}
${user?.unread !== undefined && bell(user.unread)}
${user ? userMenu(user, csrfToken, section) : html`<a class="button small sign-in" href="/login">Sign in</a>`}</div>
</header>`
}

function upgradesMark(count = 0): Html | false {
  return (
    count > 0 &&
    html` <span class="nav-count">${count}<span class="visually-hidden"> ${count === 1 ? 'upgrade waits' : 'upgrades wait'}</span></span>`
  )
}

/** The hidden field that every form with method POST carries. */
export function csrfField(csrfToken: string): Html {
  return html`<input type="hidden" name="_csrf" value="${csrfToken}">`
}

/** What goes along with a form and is not shown. */
export function hiddenFields(values: Readonly<Record<string, string | undefined>>): Html {
  return html`${Object.entries(values).map(
    ([name, value]) =>
      value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`,
  )}`
}

/** The party's type as users read it; `None` is a developer's sandbox. */
export function partyBadge(type: PageParty['partyType']): Html {
  return typeBadge(type === 'None' ? 'Sandbox' : type)
}

type MenuLink = { href: string; label: string; section?: SiteSection }

/** What the menu of a person leads to, beside the sign-out. */
function linksOf({ account, ...user }: PageUser): MenuLink[] {
  const links: (MenuLink | false | undefined)[] = [
    { href: '/Account', label: 'Account', section: 'account' },
    { href: '/Account/Security', label: 'Security' },
    account && { href: account.switchPath, label: 'Switch account' },
    { href: '/Search', label: 'Search' },
    user.worksForDevelopers && {
      href: '/Developer',
      label: 'Developer console',
      section: 'developer',
    },
    (user.operator || user.support) && {
      href: '/Operator',
      label: 'Operator console',
      section: 'operator',
    },
  ]
  return links.filter((link) => typeof link === 'object')
}

function accountSwitch({
  name = 'All accounts',
  switchPath,
}: NonNullable<PageUser['account']>): Html {
  return html`<a class="switch" href="${switchPath}"><span class="switch-for">For </span><bdi>${name}</bdi>
<span class="visually-hidden">: switch account</span><span aria-hidden="true"> ▾</span></a>`
}

function userMenu(
  user: PageUser,
  csrfToken: string | undefined,
  section: SiteSection | undefined,
): Html {
  return html`<details class="menu user-menu">
<summary><span class="visually-hidden">Your menu</span>${personAvatar(user.name)}</summary>
<div class="menu-list">
<p class="who"><span class="visually-hidden">Signed in as </span><bdi class="who-name">${user.name}</bdi>
<bdi class="who-email">${shownEmail(user.signInName)}</bdi></p>
<ul class="menu-links">${linksOf(user).map(
    (link) =>
      html`<li><a class="menu-item" href="${link.href}"${
        link.section !== undefined && link.section === section && html` aria-current="page"`
      }>${link.label}</a></li>`,
  )}</ul>
${
  csrfToken !== undefined &&
  html`<form method="post" action="/logout">
${csrfField(csrfToken)}<button class="menu-item" type="submit">Sign out</button>
</form>`
}</div>
</details>`
}

function assetPath(name: string, version: string | undefined): string {
  return version ? `/assets/${name}?v=${encodeURIComponent(version)}` : `/assets/${name}`
}
