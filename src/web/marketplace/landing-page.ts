import { controlView } from '../kit/fields.ts'
import { framePage } from '../kit/frame.ts'
import { UNTOUCHED } from '../shared/forms/form-problems.ts'
import { html } from '../shared/page/html.ts'
import type { HtmlPage, PageShell } from '../shared/page/html-page.ts'
import { type AppCard, appCard } from './app-card.ts'

const STEPS = [
  ['Find an app', 'See what it does, what it may read and change, and what it costs you.'],
  ['Install it', 'Choose an option, fill in its settings, and confirm what you agree to.'],
  ['Open it', 'All apps of your company open from one place, with one sign-in.'],
] as const

/** The start page for who is not signed in: what this is, and some of the apps. */
export function landingPage(shell: PageShell, featured: readonly AppCard[]): HtmlPage {
  const content = html`${
    featured.length > 0 &&
    html`<section class="stack" aria-labelledby="featured">
      <div class="card-title">
        <h2 id="featured">New apps</h2>
        <a href="/Apps">Browse all apps</a>
      </div>
      <ul class="cards">${featured.map((app) => appCard(app, { level: 3 }))}</ul>
    </section>`
  }
  <section class="stack" aria-labelledby="steps">
    <h2 id="steps">How it works</h2>
    <ol class="steps-shown">
      ${STEPS.map(
        ([title, text]) => html`<li>
          <h3>${title}</h3>
          <p class="muted">${text}</p>
        </li>`,
      )}
    </ol>
  </section>
  <p>
    <strong>Developers:</strong> publish apps, see who installed them, and get a token for each installation.
    <a href="/Developer">Developer console</a>
  </p>
  <p>
    <strong>Operators:</strong> suspend an app, a developer or an installation, effective immediately.
    <a href="/Operator">Run the marketplace</a>
  </p>`
  return framePage({ console: 'marketplace' }, shell, {
    title: 'Welcome',
    head: html`<section class="hero">
      <div class="pitch">
        <h1>Apps for your trading&nbsp;account</h1>
        <p class="lead">
          Install what your business needs. Each app gets only the permissions you agreed to, for one account, and
          only until you remove it.
        </p>
        <form class="search" method="get" action="/Apps" role="search">
          ${controlView('q', { label: 'Search apps', kind: 'search' }, UNTOUCHED)}
          <button class="button primary" type="submit">Find apps</button>
        </form>
        <p><a href="/login">Sign in to open your apps</a></p>
      </div>
    </section>`,
    content,
  })
}
