import { shellMarkup } from '../shared/page/code-colours.ts'
import { codeBox, jsonBox } from '../shared/page/code-view.ts'
import { type Html, html } from '../shared/page/html.ts'
import { conventions } from './conventions.ts'
import { type DocsContext, docsPage, section } from './docs-page.ts'
import { inline } from './markdown.ts'

/** The entrance of the documentation: the main flow, the words, the conventions. */
export function docsOverviewPage(context: DocsContext): string {
  return docsPage(
    {
      path: '/docs',
      title: 'App Marketplace API',
      lead: html`<p>Developers publish apps, accounts install them, and an app acts for an account with a
short-lived bearer token that is limited to the permissions of that one installation.</p>`,
      contents: [
        { href: '#flow', label: 'Quickstart' },
        { href: '#redirect', label: 'From the browser' },
        { href: '#concepts', label: 'Concepts' },
        { href: '#conventions', label: 'Conventions' },
      ],
      body: html`${cards}
${section('flow', 'Quickstart', mainFlow(context))}
${section('redirect', 'From the browser', redirect(context))}
${section('concepts', 'Concepts', concepts(context))}
${section('conventions', 'Conventions', conventions(context))}`,
    },
    context,
  )
}

/** Where each kind of reader begins. */
const QUICKSTARTS: { title: string; text: string; links: [href: string, title: string][] }[] = [
  {
    title: 'I build apps',
    text: 'From a clone to your own app in the browser, in ten minutes.',
    links: [
      ['/docs/first-app', 'Your first app'],
      ['/docs/build-an-app', 'Build an app'],
      ['/docs/receive-events', 'Receive events'],
      ['/docs/publish-an-app', 'Publish an app'],
    ],
  },
  {
    title: 'I buy or sell',
    text: 'Install, configure and upgrade apps for your account.',
    links: [
      ['/docs/install-by-api', 'Install an app by API'],
      ['/docs/prices', 'Prices explained'],
      ['/docs/settings-and-secrets', 'Settings and secrets'],
    ],
  },
  {
    title: 'I operate a marketplace',
    text: 'Deploy it, let people in, back up and upgrade.',
    links: [
      ['/docs/operate', 'Operate a marketplace'],
      ['/docs/deploy', 'Deploy'],
      ['/docs/add-people', 'Add people'],
      ['/docs/faults', 'Faults'],
    ],
  },
]

/** What to look things up in. */
const CARDS: [href: string, title: string, text: string][] = [
  ['/docs/apps', 'App definition', 'Each field: options, settings, permissions, versions.'],
  [
    '/docs/api',
    'API reference',
    'Search every operation, copy a sample, send a request with your token.',
  ],
  ['/docs/errors', 'Errors', 'What each code means and what to do next.'],
]

const cards = html`<div class="docs-cards">
${QUICKSTARTS.map(
  ({ title, text, links }) => html`<section class="docs-quickstart">
<h2>${title}</h2>
<p>${text}</p>
<ul>${links.map(([href, label]) => html`<li><a href="${href}">${label}</a></li>`)}</ul>
</section>`,
)}</div>
<div class="docs-cards">
${CARDS.map(
  ([href, title, text]) =>
    html`<a class="docs-card" href="${href}"><strong>${title}</strong><span>${text}</span></a>`,
)}</div>`

/** The steps of the flow: what to know before the request, the request, and what it answers. */
const STEPS = [
  {
    title: 'Sign in as a developer',
    text:
      'Your client id and password come from the operator of the marketplace. Keep the `token` ' +
      'of the response as `$DEVELOPER_TOKEN`, and keep it secret: it acts on all installations ' +
      'of your apps and never belongs in a browser or an app.',
    operation: 'POST /v1/Auth',
    request: `-H 'content-type: application/json' \\
  -d '{ "clientId": "northwind", "password": "..." }'`,
    response: { token: 'eyJhbGciOiJFUzI1NiIs…', tokenType: 'Bearer', expiresIn: 3600 },
  },
  {
    title: 'Find the installation',
    text: 'One record for each account that has one of your apps. Take the `id` of the one you want to act for.',
    operation: 'GET /v1/Developer/Installations',
    request: '-H "authorization: Bearer $DEVELOPER_TOKEN"',
    response: [
      {
        id: 'd25df228-9c11-4d0f-9f9a-3a1f3f1f7c55',
        appId: 'price-sync',
        partyType: 'Seller',
        partyId: 3,
        partyName: 'Keyline Electronics',
      },
    ],
  },
  {
    title: 'Ask for its token',
    text:
      'Good for this one installation, with the permissions that its account agreed to or fewer. ' +
      'It may be given to a browser. Keep it as `$INSTALLATION_TOKEN`.',
    operation: 'POST /v1/Developer/Token',
    request: `-H "authorization: Bearer $DEVELOPER_TOKEN" \\
  -H 'content-type: application/json' \\
  -d '{ "installationId": "d25df228-9c11-4d0f-9f9a-3a1f3f1f7c55" }'`,
    response: { token: 'eyJhbGciOiJFUzI1NiIs…', tokenType: 'Bearer', expiresIn: 3600 },
  },
  {
    title: 'Read data',
    text:
      'What the response holds depends on the account: a Seller’s own products, or those of the ' +
      'Sellers that a Buyer is connected with.',
    operation: 'GET /v1/Products',
    request: '-H "authorization: Bearer $INSTALLATION_TOKEN"',
    response: [
      {
        id: 67,
        brand: 'Adesso',
        partNumber: 'Pck-208b',
        inStock: 203,
        shortDescription: 'USB - 105 Keys - Black',
        msrp: 44.99,
        mapPrice: null,
        upc: '783750002448',
      },
    ],
  },
]

function mainFlow({ baseUrl, linkOf }: DocsContext): Html {
  return html`<p>On a demo marketplace the server prints these requests at its start, with credentials that work.</p>
<ol class="steps">${STEPS.map(({ title, text, operation, request, response }, index) => {
    const path = operation.split(' ')[1] ?? ''
    const curl = `curl ${baseUrl}${path} \\\n  ${request}`
    return html`<li class="operation">
<div class="operation-text">
<h3><span class="step-number" aria-hidden="true">${index + 1}</span> ${title}</h3>
<p>${inline(text, linkOf)}</p>
<p>${inline(`\`${operation}\``, linkOf)}</p>
</div>
<div class="operation-example">
${codeBox('Request', `Request: ${title}`, shellMarkup(curl))}
${jsonBox('Response', `Response: ${title}`, response)}
</div>
</li>`
  })}</ol>`
}

function redirect({ baseUrl }: DocsContext): Html {
  const state = example('af0ifjsldkj')
  const query = html`clientId=${example('acme-tools')}&state=${state}`
  const opened = html`${baseUrl}/Apps/Authenticate/${example('price-sync')}?${query}`
  const token = example('eyJhbGciOiJFUzI1NiIsInR5cCI6…')
  const returned = html`https://price-sync.example/auth/return?token=${token}&state=${state}`
  return html`<div class="prose">
<p>A user can also bring the token: send the browser to the address below, with the id of your app.
After the sign-in it comes back to the <code>authReturnUrl</code> of the app with
<code>token</code> in the query.</p>
</div>
${codeBox('Address to open', 'Address of the redirect', opened)}
${codeBox('Comes back to', 'Address that the browser comes back to', returned)}
<div class="prose"><ul>
<li><code>state</code> comes back unchanged. Put a random value into it, keep that in the user’s
session, and compare: then nobody can slip somebody else’s token to your user.</li>
<li><code>clientId</code> may be left out; if it is there, it must be one of the app’s developer.</li>
<li>A user of several accounts that have the app chooses one. A user who is not signed in signs in first.</li>
<li>The token is of the same kind as that of step 3, but short-lived and tied to the user: the
profile then names the person too.</li>
<li>An app that wants no token in an address <a href="/docs/code-mode">takes a code</a>.</li>
<li>Whatever is wrong ends at an error page of the marketplace: the app is unknown, not installed or
suspended, or has no valid <code>authReturnUrl</code>. With <code>"redirectErrors": "return"</code>, the
app gets <code>error=access_denied</code> at your address when it is not installed or suspended for the account.</li>
</ul></div>`
}

/** A value of an example, coloured as a string. */
function example(value: string): Html {
  return html`<span class="tok-string">${value}</span>`
}

function concepts({ linkOf }: DocsContext): Html {
  const words: [string, string][] = [
    [
      'Developer',
      'Publishes apps and calls the API with a developer token. Each has a **sandbox**: an ' +
        'account of the type `None` with sample products, to try apps in before they are listed.',
    ],
    [
      'Party',
      'An account of the trading platform, a **Buyer** or a **Seller**. Sellers own products; a ' +
        'Buyer sees those of the Sellers it is connected with. People sign in as users and act for ' +
        'the parties they belong to.',
    ],
    [
      'App',
      'What a developer offers, described by its [definition](/docs/apps): who can install it, ' +
        'its price, permissions and settings.',
    ],
    [
      'Purchase option',
      'One way to buy an app: flat by the month, flat by the year, or by the number of products.',
    ],
    [
      'Installation',
      'One app as installed by one party, with the chosen option, the settings, and the ' +
        'permissions that were agreed to. Version and permissions are copied when it is installed ' +
        'and stay until the party agrees to an upgrade.',
    ],
    [
      'Developer token',
      'From `POST /v1/Auth`. Acts on all installations of all apps of the developer. A secret of your server.',
    ],
    [
      'Installation token',
      'From `POST /v1/Developer/Token` or the [redirect](#redirect). Acts for one installation ' +
        'with its permissions. There are no refresh tokens: when one runs out, ask for the next. ' +
        'Uninstalling, suspending and revoking stop it at once.',
    ],
  ]
  return html`<dl class="facts">${words.map(([word, text]) => html`<dt>${word}</dt><dd>${inline(text, linkOf)}</dd>`)}</dl>`
}
