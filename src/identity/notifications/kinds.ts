/** Part of a sentence: words, or a name that somebody chose. */
export type SentencePart = string | { name: string }

/** What a sentence about a notification may name, as of now. */
export type Told = {
  party: string
  developer: string
  app: string
  /** The person who did it, or whom it is about. */
  person: string
  partyId: number | null
  developerId: string | null
  appId: string | null
  subjectId: string
  /** Words that were kept with it. */
  data: Readonly<Record<string, unknown>>
}

/**
 * Whom a notification is for, and so who may still read the names in it: the admins of its account, the
 * member who asked for something there, the people of its developer, the operators.
 */
export type NotifiedAs = 'admin' | 'requester' | 'developer' | 'operator'

type Kind = {
  as: NotifiedAs
  /** Whether it is mailed unless the person chose otherwise. */
  mail: boolean
  /** When it comes, as the switch of its mails says. */
  label: string
  /** Whether it is left out while an unread one about the same is there. */
  once?: true
  text(told: Told): SentencePart[]
  /** The page of what it is about, a path of this site. */
  path(told: Told): string
}

/** The kinds of notifications: who gets them, what they say, and where they lead. */
const KINDS = {
  request_waiting: {
    as: 'admin',
    mail: true,
    label: 'A member asks for an app',
    text: ({ person, app, party }) => say`${person} asks you to install ${app} for ${party}.`,
    path: ({ subjectId }) => `/Account/Requests/${subjectId}`,
  },
  update_available: {
    as: 'admin',
    mail: true,
    label: 'A new version of an installed app waits for your consent',
    once: true,
    text: ({ app, party }) => say`A new version of ${app} is available for ${party}.`,
    path: ({ subjectId }) => `/Installed/${subjectId}/Upgrade`,
  },
  installation_suspended: {
    as: 'admin',
    mail: true,
    label: 'An installed app is suspended',
    text: (told) => (told.data.cause === 'account' ? suspendedAccount(told) : suspended(told)),
    path: installedPath,
  },
  installation_resumed: {
    as: 'admin',
    mail: false,
    label: 'A suspended app is resumed',
    text: (told) => (told.data.cause === 'account' ? resumedAccount(told) : resumed(told)),
    path: installedPath,
  },
  member_joined: {
    as: 'admin',
    mail: false,
    label: 'Somebody joins your account',
    text: ({ person, party }) => say`${person} joined ${party}.`,
    path: ({ partyId }) => `/Account/Members?partyId=${partyId}`,
  },
  import_problems: {
    as: 'admin',
    mail: true,
    label: 'An import of products has errors',
    once: true,
    text: ({ app, party }) => say`${app} imported products of ${party}, and there were errors.`,
    path: ({ subjectId }) => `/Installed/${subjectId}`,
  },
  request_accepted: {
    as: 'requester',
    mail: true,
    label: 'An app that you asked for is installed',
    text: ({ app, party }) => say`Your request was accepted: ${app} is installed for ${party}.`,
    path: ({ subjectId }) => `/Account/Requests/${subjectId}`,
  },
  request_declined: {
    as: 'requester',
    mail: true,
    label: 'Your request for an app is declined',
    text: ({ app, party }) => say`Your request to install ${app} for ${party} was declined.`,
    path: ({ subjectId }) => `/Account/Requests/${subjectId}`,
  },
  app_installed: {
    as: 'developer',
    mail: false,
    label: 'An account installs your app',
    text: ({ app, party }) => say`${party} installed ${app}.`,
    path: ({ subjectId }) => `/Developer/Installations/${subjectId}`,
  },
  app_uninstalled: {
    as: 'developer',
    mail: false,
    label: 'An account uninstalls your app',
    text: ({ app, party }) => say`${party} uninstalled ${app}.`,
    path: ({ subjectId }) => `/Developer/Installations/${subjectId}`,
  },
  endpoint_failing: {
    as: 'developer',
    mail: true,
    label: 'A webhook endpoint is failing',
    once: true,
    text: ({ app }) =>
      say`A webhook endpoint of ${app} is failing. After five days of failures it is disabled.`,
    path: endpointPath,
  },
  endpoint_disabled: {
    as: 'developer',
    mail: true,
    label: 'A webhook endpoint is disabled because it fails',
    text: ({ app, data }) =>
      data.reason === 'gone'
        ? say`A webhook endpoint of ${app} was disabled: it answered 410 Gone.`
        : say`A webhook endpoint of ${app} was disabled after five days of failures.`,
    path: endpointPath,
  },
  app_suspended: {
    as: 'developer',
    mail: true,
    label: 'Your app or developer is suspended',
    text: ({ app, developer, data }) =>
      data.cause === 'developer'
        ? say`The operator suspended ${developer}.`
        : say`The operator suspended ${app}.`,
    path: ownAppPath,
  },
  app_resumed: {
    as: 'developer',
    mail: false,
    label: 'Your app or developer is resumed',
    text: ({ app, developer, data }) =>
      data.cause === 'developer'
        ? say`The operator resumed ${developer}.`
        : say`The operator resumed ${app}.`,
    path: ownAppPath,
  },
  app_listed: {
    as: 'developer',
    mail: false,
    label: 'Somebody else lists your app',
    text: ({ app }) => say`${app} was listed in the catalogue.`,
    path: ownAppPath,
  },
  app_unlisted: {
    as: 'developer',
    mail: false,
    label: 'Somebody else unlists your app',
    text: ({ app }) => say`${app} was unlisted from the catalogue.`,
    path: ownAppPath,
  },
  secret_reported: {
    as: 'developer',
    mail: true,
    label: 'A secret of yours was found in public',
    text: ({ developer }) =>
      say`A secret of ${developer} was found in public and was ended. Replace it where you use it.`,
    path: () => '/Developer',
  },
  record_suspended: {
    as: 'operator',
    mail: false,
    label: 'Another operator suspends something',
    text: (told) => say`${recordOf(told)} was suspended.`,
    path: recordPath,
  },
  record_resumed: {
    as: 'operator',
    mail: false,
    label: 'Another operator resumes something',
    text: (told) => say`${recordOf(told)} was resumed.`,
    path: recordPath,
  },
} as const satisfies Readonly<Record<string, Kind>>

export type NotificationKind = keyof typeof KINDS

/** Every kind, in the order in which its switches are shown. */
export const NOTIFICATION_KINDS = Object.keys(KINDS) as [NotificationKind, ...NotificationKind[]]

/** What there is to know of a kind. */
export function kindOf(kind: NotificationKind): Kind {
  return KINDS[kind]
}

/** Whether a text names a kind: rows of another release may have others. */
export function isKind(text: string): text is NotificationKind {
  return Object.hasOwn(KINDS, text)
}

/** What is said in the place of a notification whose names the person may not read any more. */
export const NO_LONGER_YOURS: Readonly<Record<NotifiedAs, string>> = {
  admin: 'This was about an account that you do not manage any more.',
  requester: 'This was about an account that you do not belong to any more.',
  developer: 'This was about a developer that you do not work for any more.',
  operator: 'This was for operators of the marketplace.',
}

/** A sentence as plain text. */
export function plainSentence(parts: readonly SentencePart[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.name)).join('')
}

function say(words: TemplateStringsArray, ...names: string[]): SentencePart[] {
  return words.flatMap((text, index) => {
    const name = names[index]
    return name === undefined ? [text] : [text, { name }]
  })
}

function suspended({ app, party, data }: Told): SentencePart[] {
  switch (data.cause) {
    case 'app':
      return say`The operator suspended ${app}, which ${party} has installed.`
    case 'developer':
      return say`The operator suspended the developer of ${app}, which ${party} has installed.`
    default:
      return say`${app} was suspended for ${party}.`
  }
}

function suspendedAccount({ party }: Told): SentencePart[] {
  return say`The operator suspended ${party}. Its apps do not work.`
}

function resumed({ app, party, data }: Told): SentencePart[] {
  switch (data.cause) {
    case 'app':
      return say`The operator resumed ${app}, which ${party} has installed.`
    case 'developer':
      return say`The operator resumed the developer of ${app}, which ${party} has installed.`
    default:
      return say`${app} was resumed for ${party}.`
  }
}

function resumedAccount({ party }: Told): SentencePart[] {
  return say`The operator resumed ${party}.`
}

function installedPath({ subjectId, partyId, data }: Told): string {
  return data.cause === 'account' ? `/Installed?partyId=${partyId}` : `/Installed/${subjectId}`
}

function endpointPath({ appId, subjectId }: Told): string {
  return `/Developer/Apps/${appId}/Webhooks/${subjectId}`
}

function ownAppPath({ appId }: Told): string {
  return appId === null ? '/Developer' : `/Developer/Apps/${appId}`
}

/** The name of what an operator suspended or resumed. */
function recordOf({ party, developer, app, person, data }: Told): string {
  switch (data.record) {
    case 'party':
      return party
    case 'developer':
      return developer
    case 'app':
      return app
    default:
      return person
  }
}

const RECORD_PATHS: Readonly<Record<string, string>> = {
  party: 'Parties',
  developer: 'Developers',
  app: 'Apps',
  user: 'Users',
}

function recordPath({ subjectId, data }: Told): string {
  return `/Operator/${RECORD_PATHS[String(data.record)]}/${subjectId}`
}
