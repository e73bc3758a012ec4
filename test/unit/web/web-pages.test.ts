import { describe, expect, it } from 'vitest'
import { AppError, ERROR_CODES } from '../../../src/errors.ts'
import type { SuspensionCause } from '../../../src/marketplace/installations/suspension-causes.ts'
import {
  noDeveloperPage,
  suspendedDevelopersPage,
} from '../../../src/web/developer/people/closed-pages.ts'
import type { HomeApp } from '../../../src/web/marketplace/home-app.ts'
import { homePage } from '../../../src/web/marketplace/home-page.ts'
import { landingPage } from '../../../src/web/marketplace/landing-page.ts'
import { partyChooserPage } from '../../../src/web/redirect/party-chooser-page.ts'
import { keptAssets } from '../../../src/web/requests/asset-routes.ts'
import { errorPage, errorWords } from '../../../src/web/shared/page/error-page.ts'
import type { HtmlPage, UserShell } from '../../../src/web/shared/page/html-page.ts'
import type { PageParty } from '../../../src/web/shared/page/page-party.ts'
import { loginPage } from '../../../src/web/shared/sign-in/login-page.ts'
import { signedOutPage } from '../../../src/web/shared/sign-in/signed-out-page.ts'

const HOSTILE = `"><img src=x onerror=alert(1)>'</title></script><b>&amp;\u2028`
const shell = { csrfToken: HOSTILE, assetVersion: HOSTILE }
const REFUSED = { text: HOSTILE, refused: { name: HOSTILE } }
const user = { name: HOSTILE, signInName: HOSTILE }
const parties: PageParty[] = [
  { partyId: 7, partyName: HOSTILE, partyType: 'Seller' },
  { partyId: 8, partyName: 'Contoso', partyType: 'None' },
]
const homeParties = parties.map((party) => ({
  ...party,
  suspension: null,
  isAdmin: true,
  hasColleagues: false,
}))
const suspension: SuspensionCause = { what: 'account', by: 'operator', reason: HOSTILE }
const apps: HomeApp[] = [
  {
    id: 'catalog-sync',
    iconId: HOSTILE,
    installationId: 'i-1',
    name: HOSTILE,
    partyId: 7,
    partyName: HOSTILE,
    suspensions: [],
    upgrade: HOSTILE,
    failingSince: null,
    canOpen: true,
    site: null,
  },
  {
    id: 'price-watch',
    iconId: null,
    installationId: 'i-2',
    name: 'Price Watch',
    partyId: 7,
    partyName: 'Northwind',
    suspensions: [],
    upgrade: null,
    failingSince: new Date(0),
    canOpen: false,
    site: null,
  },
]
const fields = { clientId: HOSTILE, state: HOSTILE }
const home = { requestsToDecide: 0, invitations: 0, ownRequests: [], hasTwoStep: false }
const featured = {
  id: HOSTILE,
  tagline: HOSTILE,
  iconId: HOSTILE,
  name: HOSTILE,
  developerName: HOSTILE,
  description: HOSTILE,
  partyTypes: ['Seller'],
  purchaseOptions: [],
}

const written = ({ pieces }: HtmlPage) => [...pieces()].join('')

const UNWRITTEN: Record<string, HtmlPage> = {
  login: loginPage({ ...shell, next: HOSTILE, notice: REFUSED, appName: HOSTILE }),
  consoleLogin: loginPage({ ...shell, next: `/Developer?${HOSTILE}`, notice: REFUSED }),
  chooser: partyChooserPage({
    ...shell,
    ...{
      user,
      action: `/Apps/Authenticate/${HOSTILE}`,
      appId: HOSTILE,
      appName: HOSTILE,
      parties,
      fields,
      canCancel: true,
    },
  }),
  error: errorPage({
    ...shell,
    user,
    status: 403,
    title: HOSTILE,
    detail: HOSTILE,
    requestId: HOSTILE,
    action: { href: `/${HOSTILE}`, label: HOSTILE },
  }),
  visitor: landingPage({ ...shell, user: null }, [featured]),
  home: homePage({ ...shell, user, parties: homeParties, apps, ...home }),
  suspendedHome: homePage({
    ...shell,
    user,
    parties: homeParties.map((party) => ({ ...party, suspension })),
    apps: [],
    ...home,
  }),
  suspendedDeveloper: suspendedDevelopersPage({
    ...shell,
    user,
    developers: [{ name: HOSTILE, reason: HOSTILE }],
  }),
  suspendedDevelopers: suspendedDevelopersPage({
    ...shell,
    user,
    developers: [
      { name: HOSTILE, reason: HOSTILE },
      { name: 'Acme', reason: null },
    ],
  }),
  noAccount: homePage({ ...shell, user, parties: [], apps: [], ...home }),
  signedOut: signedOutPage({ ...shell, message: HOSTILE, provider: HOSTILE }),
  noDeveloper: noDeveloperPage({ ...shell, user }),
}

const PAGES = Object.fromEntries(
  Object.entries(UNWRITTEN).map(([name, page]) => [name, written(page)]),
)

describe.each(Object.entries(PAGES))('the page %s', (_name, document) => {
  it('shows hostile text as text', () => {
    expect(document).not.toContain('<img src=x')
    expect(document).not.toContain('<b>')
    expect(document.match(/<\/title>/g)).toHaveLength(1)
  })

  it('has no "<" that is not a tag of our own', () => {
    const closing = document.match(/<\/[a-z0-9]+>/g) ?? []
    const doctype = 1
    expect(document.split('<').length - 1).toBe(tags(document).length + closing.length + doctype)
  })

  it('holds no script, inline style or event handler', () => {
    expect(document).not.toMatch(/<(style|base|iframe|object)\b/i)
    expect(document.match(/<script[^>]*>[^<]*/gi)?.every((one) => OWN_SCRIPT.test(one))).not.toBe(
      false,
    )
    for (const tag of tags(document)) {
      const names = tag.replaceAll(/="[^"]*"/g, '=')
      expect(names).not.toMatch(/\s(style|on\w+)=/i)
    }
  })

  it('loads nothing from elsewhere', () => {
    for (const tag of tags(document)) {
      const target = /\s(?:src|href|action)="([^"]*)"/.exec(tag)?.[1]
      if (target !== undefined) expect(target).toMatch(/^(#|\/(?!\/))/)
    }
  })

  it('has a label for each input that is shown', () => {
    for (const tag of tags(document, 'input')) {
      if (tag.includes('type="hidden"')) continue
      const id = /\sid="([^"]+)"/.exec(tag)?.[1]
      expect(document).toContain(`<label for="${id}">`)
    }
  })

  it('has a CSRF token in each form but searches, all of which are POST to this site', () => {
    const forms = document.match(/<form\b(?![^>]* role="search").*?<\/form>/gs) ?? []
    for (const form of forms) {
      expect(form).toMatch(/^<form[^>]* method="post" action="\/[^/"]/)
      expect(form).toContain('<input type="hidden" name="_csrf" value="&quot;&gt;&lt;img')
    }
  })

  it('has a language, one h1, landmarks, a skip link and unique ids', () => {
    expect(document).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(document.match(/<h1\b/g)).toHaveLength(1)
    expect(document.match(/<main id="main"/g)).toHaveLength(1)
    expect(document).toContain('<a class="skip-link" href="#main">')
    const ids = [...document.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1])
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('the login page', () => {
  it('keeps the email after an error, never shows a password, and ties the error to the fields', () => {
    const page = written(
      loginPage({
        csrfToken: 't',
        next: '/x',
        notice: { text: 'Wrong.', refused: { name: 'a@b.example' } },
      }),
    )
    expect(field(page, 'email')).toContain('value="a@b.example"')
    expect(field(page, 'email')).toContain('aria-describedby="login-error"')
    expect(field(page, 'password')).toContain('aria-describedby="login-error"')
    expect(field(page, 'password')).not.toContain('value=')
    expect(field(page, 'next')).toContain('value="/x"')
    expect(page).toContain('id="login-error" role="alert">\n<p>Wrong.</p>')
  })

  it('shows no errors or apps at first', () => {
    const page = written(loginPage({ csrfToken: 't', next: '/' }))
    expect(page).not.toContain('login-error')
    expect(page).not.toContain('to continue to')
    expect(field(page, 'email')).toContain('autocomplete="username"')
    expect(field(page, 'password')).toContain('autocomplete="current-password"')
  })
})

describe('the party chooser', () => {
  it('has one button per party, and carries only the query values that were given', () => {
    const page = written(
      partyChooserPage({
        csrfToken: 't',
        action: '/Apps/Authenticate/catalog-sync?state=',
        appId: 'catalog-sync',
        appName: 'Catalog Sync',
        parties,
        fields: { state: '' },
        canCancel: false,
        user: { name: 'Ada', signInName: 'ada@example.com' },
      }),
    )
    expect(page).toContain('<form method="post" action="/Apps/Authenticate/catalog-sync?state=">')
    expect(page.match(/<button[^>]* name="partyId" value="\d+"/g)).toHaveLength(2)
    expect(field(page, 'state')).toContain('value=""')
    expect(page).not.toContain('name="clientId"')
    expect(page).not.toContain('name="cancel"')
  })
})

describe('the error page', () => {
  const pageOf = (error: AppError, failed = {}, visitor: UserShell['user'] | null = null) =>
    written(
      errorPage({
        ...shell,
        user: visitor,
        status: error.status,
        requestId: 'r',
        ...errorWords(error, { url: '/x', bodyLimitBytes: 16_384, isForm: false, ...failed }),
      }),
    )

  it.each([
    ['not_found', 'Page not found', 'href="/">Go to the start page</a>'],
    [
      'invalid_csrf_token',
      ERROR_CODES.invalid_csrf_token.title,
      'href="/x">Open the page again</a>',
    ],
    ['payload_too_large', 'The form is too large', 'shorten its text. It can have up to 16 KiB.'],
  ] as const)('says %s once, and leads on', (code, title, way) => {
    const main = pageOf(new AppError(code)).split('<main')[1] ?? ''
    expect(main.split(title)).toHaveLength(2)
    expect(main).toContain(way)
  })

  it('shows the details of an error beside its title', () => {
    const page = pageOf(new AppError('not_found', { detail: 'There is no such app.' }))
    expect(page).toContain('<p class="lead">There is no such app.</p>')
    expect(page).not.toContain('Check the address')
  })

  it('of an entry that is gone leads to the list that it was in', () => {
    const gone = new AppError('not_found')
    const list = '<a class="button" href="/Installed">View installed apps</a>'
    expect(pageOf(gone, { url: '/installed/1/Upgrade?x=1' })).toContain(list)
    expect(pageOf(gone, { url: '/Installed' })).not.toContain(list)
    const ofOperators = { url: '/Operator/Users/1/Remove' }
    const way = 'href="/Operator/Users">View users</a>'
    expect(pageOf(gone, ofOperators, { ...user, operator: true })).toContain(way)
    expect(pageOf(gone, ofOperators, user)).not.toContain(way)
  })

  it('of a form whose object is gone says that nothing was changed, and is no fault', () => {
    const failed = { url: '/Developer/Credentials/1/Remove', isForm: true }
    const page = pageOf(new AppError('not_found'), failed)
    expect(page).toContain('No longer available')
    expect(page).toContain('you have lost access to it. Nothing was changed.')
    expect(page).toContain('href="/Developer/Credentials">View credentials</a>')
    expect(page).not.toMatch(/Error 404|request ID|Check the address/)
    const told = pageOf(new AppError('not_found', { detail: 'There is no such user.' }), failed)
    expect(told).toContain('There is no such user. Nothing was changed.')
  })
})

describe('the start page', () => {
  it('opens the apps that can be opened, under the account that has them', () => {
    const page = PAGES.home ?? ''
    expect(page).toContain('href="/Apps/Authenticate/catalog-sync?partyId=7"')
    expect(page).not.toContain('href="/Apps/Authenticate/price-watch')
    expect(page).toContain('Runs in the background')
    expect(page).not.toMatch(/Unavailable|badge-off|<code>/)
    expect(page).toContain('No apps yet')
  })

  it('invites a visitor to sign in, without a sign-out button', () => {
    expect(PAGES.visitor).toContain('href="/login"')
    expect(PAGES.visitor).toContain('href="/docs"')
    expect(PAGES.visitor).not.toContain('/logout')
  })
})

it('keeps the style sheet self-contained', () => {
  expect(String(keptAssets().byName.get('style.css')?.content())).not.toMatch(/@import|url\(/)
})

/** The script of a file of ours, with nothing in it. */
const OWN_SCRIPT = /^<script src="\/assets\/script\.js\?v=[^"]*" defer>$/

function tags(document: string, name = '[a-z0-9]+'): string[] {
  return (
    document.match(new RegExp(`<${name}(?:\\s+[a-zA-Z][a-zA-Z0-9-]*(?:="[^"]*")?)*\\s*/?>`, 'g')) ??
    []
  )
}

function field(document: string, name: string): string {
  return tags(document, 'input').find((tag) => tag.includes(` name="${name}"`)) ?? ''
}
