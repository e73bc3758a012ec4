import { AppError } from '../../errors.ts'
import { ownSite } from '../../marketplace/apps/own-site.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'

/** The app that a redirect was to open, and whether everybody may see its listing. */
type Target = { id: string; name: string; hasListing: boolean }

/** The error for an unknown app, and for an app that the user may not know about. */
export function unknownApp(): AppError {
  return new AppError('not_found', {
    detail: 'No app has this address. Check the link, or ask for a new one where you got it.',
  })
}

/**
 * @param account the account that the app could be installed for, when there is only one
 * @param options `anyAccount`: the address of the same redirect for any account, where another
 *   account of the user has the app; `isOneOfSeveral`: the user has other accounts
 */
export function notInstalled(
  app: Target,
  account: { id: number; name: string } | undefined,
  { anyAccount, isOneOfSeveral }: { anyAccount: string | undefined; isOneOfSeveral: boolean },
): AppError {
  const listing = `/Apps/${app.id}`
  const whom = account?.name ?? 'any of your accounts'
  const elsewhere = anyAccount && { href: anyAccount, label: 'Open for another account' }
  const view = {
    href: `${listing}${account ? `?partyId=${account.id}` : ''}`,
    label: 'View listing',
  }
  const next = encodeURIComponent(app.hasListing ? listing : '/')
  const choose = { href: `/Account/Choose?next=${next}`, label: 'Switch account' }
  return new AppError('not_found', {
    detail: 'Install it first, or sign in as a user whose account has it.',
    page: {
      title: `${app.name} is not installed for ${whom}`,
      ways: [elsewhere, app.hasListing && view, isOneOfSeveral && choose].filter(
        (way) => typeof way === 'object',
      ),
      asksForOther: true,
    },
  })
}

/**
 * The link names an account that the user does not belong to.
 *
 * @param anyAccount the address of the same redirect for any account, where one of the user has the
 *   app
 */
export function notYourAccount(
  app: Target,
  partyId: number,
  anyAccount: string | undefined,
): AppError {
  const own = anyAccount && { href: anyAccount, label: `Open ${app.name} for your account` }
  const view = { href: `/Apps/${app.id}`, label: 'View listing' }
  return new AppError('not_found', {
    detail: 'Ask the sender of the link, or sign in as somebody who belongs to that account.',
    page: {
      title: `You do not belong to account ${partyId}`,
      ways: [own, app.hasListing && view].filter((way) => typeof way === 'object'),
      asksForOther: true,
    },
  })
}

/** @param installationId of the user's own installation, if there is one */
export function nothingToOpen(app: Target, installationId: string | undefined): AppError {
  return new AppError('unprocessable', {
    detail: 'This app has no page to open. It works on its own with the settings you entered.',
    page: {
      title: `${app.name} runs in the background`,
      ways: wayTo(app, installationId),
      isFault: false,
    },
  })
}

/** @param installationId of the user's own installation, if there is one */
export function brokenReturnAddress(app: Target, installationId: string | undefined): AppError {
  return new AppError('unprocessable', {
    detail: 'The app has no valid return address. Its developer has to configure one.',
    page: { title: `${app.name} cannot be opened`, ways: wayTo(app, installationId) },
  })
}

/** A client id that is not one of the app's developer, or none where a code is asked for. */
export function wrongClientId(
  app: Target,
  installationId: string | undefined,
  isNamed: boolean,
): AppError {
  const why = isNamed
    ? `a client ID that does not belong to ${app.name}`
    : 'no client ID, which a request for a code needs'
  return new AppError('unprocessable', {
    detail: `The link contains ${why}. Ask the app's developer for a correct link.`,
    page: {
      title: `This link to ${app.name} does not work`,
      ways: wayTo(app, installationId),
    },
  })
}

/** An app that takes codes was asked for a token in its address. */
export function takesCodes(
  app: Target & Parameters<typeof ownSite>[0],
  installationId: string | undefined,
): AppError {
  const { name } = app
  const href = ownSite(app)
  const site = href === null ? [] : [{ href, label: `Go to ${name}` }]
  return new AppError('unprocessable', {
    detail: `${name} signs you in from its own site. Open the app there, or ask its developer for a current link.`,
    page: {
      title: `Open ${name} from its own site`,
      ways: [...site, ...wayTo(app, installationId)],
      isFault: false,
    },
  })
}

/** The app asked for a code with another return address than its own. */
export function wrongReturnAddress(app: Target, installationId: string | undefined): AppError {
  return new AppError('unprocessable', {
    detail: `The redirect_uri of the link is not the return address of ${app.name}. Ask the app's developer for a correct link.`,
    page: {
      title: `This link to ${app.name} does not work`,
      ways: wayTo(app, installationId),
    },
  })
}

/** @param reason why the app or its developer is suspended, as far as the user may know it */
export function appSuspended(
  app: Target,
  installationId: string | undefined,
  reason: string | null,
): AppError {
  return new AppError('unprocessable', {
    detail: `The marketplace has suspended this app. You cannot open it for now.${reasonGiven(reason)}`,
    page: { title: `${app.name} is suspended`, ways: wayTo(undefined, installationId) },
  })
}

/** @param cause the nearest one of what suspends the installation */
export function suspendedFor(
  app: Target,
  { id, party }: { id: string; party: { name: string } },
  [cause]: readonly SuspensionCause[],
): AppError {
  const isByDeveloper = cause?.by === 'developer'
  const whom = isByDeveloper ? "the app's support" : 'the operator of this marketplace'
  const who = isByDeveloper ? 'Its developer suspended it.' : ''
  return new AppError('installation_suspended', {
    detail: `${who}${reasonGiven(cause?.reason ?? null)} Contact ${whom}.`.trim(),
    page: {
      title: `${app.name} is suspended for ${party.name}`,
      ways: wayTo(undefined, id),
    },
  })
}

/** A link to the user's own installation, otherwise to the listing, if there is one. */
function wayTo(app: Target | undefined, installationId: string | undefined) {
  if (installationId !== undefined) {
    return [{ href: `/Installed/${installationId}`, label: 'View installation' }]
  }
  return app?.hasListing ? [{ href: `/Apps/${app.id}`, label: 'View listing' }] : []
}

function reasonGiven(reason: string | null): string {
  if (reason === null) return ''
  return ` Reason: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`
}
