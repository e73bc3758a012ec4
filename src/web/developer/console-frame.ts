import type { Visibility } from '../../marketplace/apps/visibility/visibility.ts'
import { stateBadge } from '../kit/badge.ts'
import { visibilityBadge } from '../shared/app-parts/visibility-badge.ts'
import type { Html } from '../shared/page/html.ts'

/** Where a developer lists apps and has the sandbox. */
export const YOUR_APPS = { href: '/Developer', label: 'Your apps' } as const

/** Who finds an app from now on, in a sentence. */
const VISIBLE: Readonly<Record<Visibility, string>> = {
  draft: 'The app is a draft: only your sandbox finds it.',
  private: 'The app is private: only the accounts you chose find it.',
  unlisted: 'The app is unlisted: everybody who has the address of its page finds it.',
  listed: 'The app is listed: every account can find and install it.',
}

/** What a page says after a change of an app, by its name. */
export const APP_NOTICES = {
  created: (app: string) =>
    `${app} was created. It is not listed yet: try it in your sandbox, then list it.`,
  saved: (app: string) => `The definition of ${app} was saved.`,
  published: (version: string, before: string, staying: number) => {
    const text = `Version ${version} is published.`
    if (staying === 0) return text
    const whose = staying === 1 ? '1 installation stays' : `${staying} installations stay`
    return `${text} ${whose} on ${before} until ${staying === 1 ? 'its account upgrades' : 'their accounts upgrade'}.`
  },
  listed: (app: string) => `${app} was listed: every account can find and install it.`,
  unlisted: (app: string) =>
    `${app} was unlisted. Whoever has its address still finds it. Accounts that have installed it keep it.`,
  visibility: (visibility: Visibility) => VISIBLE[visibility],
  deleted: (app: string) => `${app} was deleted.`,
  deletedMeanwhile: (id: string) =>
    `The app ${id} was deleted, and its ID can never be reused. Your text is kept: change its ID to create a new app.`,
  terms: (app: string) => `The terms document of ${app} was saved.`,
  noTerms: (app: string) => `The terms document of ${app} was removed.`,
  listing: (app: string) => `The listing of ${app} was saved.`,
  icon: (app: string) => `The icon of ${app} was saved.`,
  noIcon: (app: string) => `The icon of ${app} was removed.`,
  screenshot: 'The screenshot was added.',
  screenshotWords: 'The screenshot was saved.',
  noScreenshot: 'The screenshot was removed.',
  moved: 'The screenshots are in another order.',
  sandbox: (app: string) => `${app} was installed in your sandbox.`,
} as const

/** What a page says after a change of an installation, by the names of its app and its account. */
export const OWN_INSTALLATION_NOTICES = {
  settings: (name: string) => `The admin settings of ${name} were saved.`,
  suspended: (name: string) => `${name} is suspended, effective immediately.`,
  resumed: (name: string) => `${name} was resumed, effective immediately.`,
  uninstalled: (name: string) => `${name} was uninstalled.`,
  tokens: (name: string) =>
    `All tokens of ${name} were revoked. Request a new one when you need it.`,
} as const

/** Where a new app begins. */
export const GUIDE_PATH = '/Developer/Apps/New/Guide'

/** The address of a developer's own app in the console. */
export function ownAppPath(appId: string): string {
  return `/Developer/Apps/${encodeURIComponent(appId)}`
}

/** The address of an installation in the console. */
export function ownInstallationPath(installationId: string): string {
  return `/Developer/Installations/${installationId}`
}

/** What needs attention of an app, at a glance. */
export function appBadges({ visibility, suspended }: VisibleApp): Html {
  // Nobody finds a suspended app, whether it is listed or not.
  return suspended
    ? stateBadge('off', 'Suspended by the operator')
    : visibilityBadge(visibility as Visibility)
}

type VisibleApp = { visibility: string; suspended: boolean }
