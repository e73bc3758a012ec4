/** The guides of the directory `docs`, in the order in which they are read. */
export const GUIDES = [
  { name: 'build-an-app', title: 'Build an app' },
  { name: 'publish-an-app', title: 'Publish an app' },
  { name: 'install-by-api', title: 'Install an app by API' },
  { name: 'receive-events', title: 'Receive events' },
  { name: 'settings-and-secrets', title: 'Settings and secrets' },
  { name: 'pages', title: 'Pages and the redirect' },
  { name: 'code-mode', title: 'Take a code, not a token' },
  { name: 'http-api', title: 'The API in general' },
  { name: 'operate', title: 'Operate a marketplace' },
  { name: 'scaling', title: 'Scaling' },
  { name: 'performance', title: 'Performance' },
  { name: 'architecture', title: 'Architecture' },
] as const
