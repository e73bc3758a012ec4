/** A page under `/docs`: a guide of the directory `docs`, unless its text is written here. */
type Entry = { name: string; title: string; isGuide: boolean }

const guide = (name: string, title: string): Entry => ({ name, title, isGuide: true })
const own = (name: string, title: string): Entry => ({ name, title, isGuide: false })

/** The pages by whom they are for, in the order in which they are read. */
export const DOCS_GROUPS: readonly { title: string; pages: readonly Entry[] }[] = [
  {
    title: 'Start',
    pages: [guide('first-app', 'Your first app'), guide('build-an-app', 'Build an app')],
  },
  {
    title: 'Build',
    pages: [
      guide('code-mode', 'Use authorization codes'),
      guide('front-end', 'Build a front end'),
      guide('receive-events', 'Receive events'),
      guide('follow-changes', 'Follow changes'),
      guide('import-a-catalogue', 'Import a large catalogue'),
      guide('settings-and-secrets', 'Settings and secrets'),
      guide('sandbox', 'Test in the sandbox'),
      guide('pages', 'Pages and the redirect'),
      guide('verify-tokens', 'Verify tokens yourself'),
    ],
  },
  {
    title: 'Sell',
    pages: [
      guide('publish-an-app', 'Publish an app'),
      guide('go-live', 'Go live'),
      guide('prices', 'Prices explained'),
      guide('install-by-api', 'Install an app by API'),
    ],
  },
  {
    title: 'Operate',
    pages: [
      guide('operate', 'Operate a marketplace'),
      guide('alerts', 'Alerts'),
      guide('faults', 'Faults'),
      guide('deploy', 'Deploy'),
      guide('add-people', 'Add people'),
      guide('people', 'Manage people and apps'),
      guide('sign-in', 'Single sign-on and second factors'),
      guide('backup-and-upgrade', 'Backup and upgrade'),
      guide('monitoring', 'Health, log and metrics'),
      guide('scaling', 'Scaling'),
      guide('performance', 'Performance'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      guide('http-api', 'API conventions'),
      guide('rate-limits', 'Rate limits and retries'),
      own('errors', 'Errors'),
      own('apps', 'App definition'),
      own('api', 'API reference'),
      guide('architecture', 'Architecture'),
      guide('threat-model', 'Threat model'),
      guide('trials', 'Trials'),
    ],
  },
]

/** Why the code is as it is. The page of the architecture leads to them. */
const DECISIONS: readonly Entry[] = [
  guide('adr/001-batch-check', 'All tokens that wait are checked by one query'),
  guide('adr/002-turns-for-connections', 'Callers take turns at the connections'),
  guide('adr/003-shares-of-memory', 'Long bodies and answers have a share of memory'),
  guide('adr/004-pages-written-when-sent', 'A page is written when it is sent'),
  guide('adr/005-ready-bytes', 'What is public is kept as ready bytes'),
  guide('adr/006-turns-for-long-work', 'Long work takes turns at the event loop'),
  guide('adr/007-signatures-on-the-pool', 'Tokens are signed on the thread pool'),
  guide('adr/008-shared-reads-of-pages', 'Short pages share a statement'),
  guide('adr/009-page-cache-by-catalogue-key', 'Pages are cached under the catalogue key'),
  guide('adr/010-two-kinds-of-transaction', 'There are two kinds of transaction'),
  guide(
    'adr/011-own-statement-protocol',
    'The hot statements use the protocol of Postgres themselves',
  ),
  guide('adr/012-events-are-looked-for', 'New events are looked for'),
  guide('adr/013-numbers-given-afterwards', 'Events are numbered after they are written'),
  guide('adr/014-deliveries-are-no-jobs', 'Deliveries are no jobs'),
  guide('adr/015-at-least-once', 'An event is sent at least once'),
  guide('adr/016-a-window-is-the-lease', 'A sending window is the lease'),
  guide('adr/017-embedded-postgres', 'The server brings its own Postgres'),
  guide('adr/018-order-of-locks', 'Transactions take locks in one order'),
  guide('adr/019-wings', 'The code has seven wings'),
]

/** The guides of the directory `docs`. */
export const GUIDES = [...DOCS_GROUPS.flatMap(({ pages }) => pages), ...DECISIONS].filter(
  ({ isGuide }) => isGuide,
)

/** Where the examples of the guides find the server. */
const EXAMPLE_SERVER = 'http://127.0.0.1:3000'

/**
 * Examples call this server, links lead to its own pages, diagrams are its own files, and files that
 * only the repository has are named without a link.
 *
 * @param name of the guide in the directory `docs`, such as `adr/001-batch-check`
 */
export function forThisServer(name: string, text: string, baseUrl: string): string {
  return text
    .replaceAll(EXAMPLE_SERVER, baseUrl)
    .replaceAll(/\]\(([\w./-]+\.(?:md|svg))(#[\w-]*)?\)/g, (link, file, anchor = '') => {
      const address = addressOf(name, file)
      return address === undefined ? link : `](${address}${anchor})`
    })
    .replaceAll(/\[([^\][]+)\]\(\.\.\/[^()\s]*\)/g, '$1')
}

/** Where this server has a file that a guide names, if it has it. */
function addressOf(name: string, file: string): string | undefined {
  const { pathname } = new URL(file, `http://repository/docs/${name}.md`)
  const [, guide] = /^\/docs\/(.+)\.md$/.exec(pathname) ?? []
  if (guide !== undefined) return `/docs/${guide}`
  const [, asset] = /^\/src\/web\/assets\/([\w-]+\.svg)$/.exec(pathname) ?? []
  return asset === undefined ? undefined : `/assets/${asset}`
}
