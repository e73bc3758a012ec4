import { html } from '../page/html.ts'
import { csrfField, type HtmlPage, type PageShell, page, signOutPath } from '../page/html-page.ts'

const AFTER = {
  developers: {
    who: 'The developer',
    signIn: '/Developer/Login',
    advice: 'Your programs and their tokens keep working.',
  },
  marketplace: {
    who: 'The user',
    signIn: '/login',
    advice: 'If others use this device, also close the apps you opened.',
  },
}
const START_PAGES = { developers: '/Developer', marketplace: '/' }

/** Somebody of the other kind, who is still signed in in the same browser. */
export type StillSignedIn = {
  area: keyof typeof AFTER
  name: string
  signInName: string
  /** The token for the forms of that area. */
  csrfToken: string
}

/**
 * Confirms a sign-out.
 *
 * @param input `area`: of a user, or of a developer; `message`: why somebody was signed out who
 *   cannot sign in again; `provider`: of single sign-on, where one is set up; `other`: who is still signed in
 */
export function signedOutPage({
  assetVersion,
  area,
  message,
  provider,
  other,
}: Pick<PageShell, 'assetVersion'> & {
  area: keyof typeof AFTER
  message?: string | undefined
  provider?: string | undefined
  other?: StillSignedIn | undefined
}): HtmlPage {
  const { who, signIn, advice } = AFTER[area]
  if (other !== undefined) return otherPage(who, other, message, assetVersion)
  const body = html`<section class="card" aria-labelledby="heading">
<h1 id="heading">You are signed out</h1>
${message !== undefined && html`<p class="lead">${message}</p>`}
<p class="${message === undefined ? 'lead' : 'muted'}">${advice}
</p>
${
  provider !== undefined &&
  html`<p class="muted">If you signed in with <bdi>${provider}</bdi>, sign out there, too: it does not ask again who you are.</p>
`
}<p class="actions">${
    message === undefined && html`<a class="button primary" href="${signIn}">Sign in again</a> `
  }<a class="button" href="/">Start page</a>
</p></section>`
  return page({ title: 'Signed out', area, layout: 'narrow', assetVersion, body })
}

/** One of two sessions of a browser has ended. */
function otherPage(
  who: string,
  other: StillSignedIn,
  message: string | undefined,
  assetVersion: string | undefined,
): HtmlPage {
  const { area, csrfToken, ...person } = other
  const title = `${who} is signed out`
  const body = html`<section class="card" aria-labelledby="heading">
<h1 id="heading">${title}</h1>
${message !== undefined && html`<p class="lead">${message}</p>`}
<p class="lead">In this browser you are still signed in as <bdi>${person.name}</bdi>.</p>
<form class="actions" method="post" action="${signOutPath(area)}">
${csrfField(csrfToken)}
<button class="button primary" type="submit"><span>Sign out <bdi>${person.name}</bdi></span></button>
<a class="button" href="${START_PAGES[area]}"><span>Continue as <bdi>${person.name}</bdi></span></a></form></section>`
  const shell =
    area === 'developers' ? { developer: { ...person, csrfToken } } : { user: person, csrfToken }
  return page({ title, layout: 'narrow', assetVersion, body, ...shell })
}
