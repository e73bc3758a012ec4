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
      guide('sandbox', 'Test in the sandbox'),
      guide('publish-an-app', 'Publish an app'),
      guide('go-live', 'Go live'),
      guide('pages', 'Pages and the redirect'),
      guide('verify-tokens', 'Verify tokens yourself'),
    ],
  },
  {
    title: 'Buy and sell',
    pages: [
      guide('install-by-api', 'Install an app by API'),
      guide('prices', 'Prices explained'),
      guide('settings-and-secrets', 'Settings and secrets'),
    ],
  },
  {
    title: 'Operate',
    pages: [
      guide('operate', 'Operate a marketplace'),
      guide('add-people', 'Add people'),
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
    ],
  },
]

/** The guides of the directory `docs`. */
export const GUIDES = DOCS_GROUPS.flatMap(({ pages }) => pages).filter(({ isGuide }) => isGuide)
