import { batchedLookUp } from '../../base/database/batched-look-up.ts'
import type { SuspendableInstallation, SuspensionState } from '../../base/values/principal.ts'
import type { Deps } from '../../deps.ts'
import type { AppError } from '../../errors.ts'
import { answerUrlProblem, authReturnUrlProblem } from '../../marketplace/apps/auth-return-url.ts'
import {
  VISIBLE_TO_ALL,
  visibleTo,
} from '../../marketplace/apps/visibility/visible-apps-service.ts'
import type { TokenSubject } from '../../marketplace/installations/mint-token-service.ts'
import { suspensionsOfApp } from '../../marketplace/installations/suspension-causes.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import {
  appSuspended,
  brokenReturnAddress,
  nothingToOpen,
  notInstalled,
  notYourAccount,
  takesCodes,
  unknownApp,
  wrongClientId,
  wrongReturnAddress,
} from './redirect-refusals.ts'
import { type RedirectRequest, redirectPath } from './redirect-request.ts'

/** Any other text is no app id, and some texts (with NUL) Postgres refuses. */
const APP_ID = /^[a-z0-9-]{1,64}$/

/** Whether a text can be the id of an app, so that Postgres may be asked for it. */
export function isAppId(text: string): boolean {
  return APP_ID.test(text)
}

/** An app that a redirect can lead to, and the credential that a code is made for. */
export type RedirectApp = {
  id: string
  name: string
  /** Whether the user finds its listing. */
  hasListing: boolean
  authReturnUrl: string
  credentialId: string | undefined
  /** Whether the app is told why no user comes. */
  isToldErrors: boolean
  /** Ids of all keys that sign or verify tokens. */
  kids: readonly string[]
}

/**
 * What the sign-in page says about the app that a visitor is opening: public facts only. Without a
 * usable return address the visitor ends on a page of ours.
 */
export async function findListedApp(
  { db }: Pick<Deps, 'db'>,
  appId: string,
): Promise<{ name: string; authReturnUrl: string | undefined } | undefined> {
  if (!isAppId(appId)) return undefined
  const app = await db.app.findFirst({
    where: { id: appId, ...VISIBLE_TO_ALL },
    select: { name: true, authReturnUrl: true },
  })
  if (app === null) return undefined
  const { name, authReturnUrl } = app
  const isUsable = authReturnUrl !== null && authReturnUrlProblem(authReturnUrl) === null
  return { name, authReturnUrl: isUsable ? authReturnUrl : undefined }
}

/** An app with its installations in the accounts of one user. */
export type FoundApp = SuspensionState & {
  id: string
  name: string
  /** Whether the user finds its listing. */
  hasListing: boolean
  authReturnUrl: string | null
  websiteUrl: string | null
  tokenDelivery: string
  redirectErrors: string
  developer: SuspensionState & {
    /** Client id -> credential id, of the credentials that were not removed. */
    credentials: Record<string, string>
  }
  installations: FoundInstallation[]
  /** Ids of all keys that sign or verify tokens, at the same moment. */
  kids: string[]
}

export type FoundInstallation = TokenSubject & {
  status: SuspendableInstallation['status']
  suspendedBy: string | null
  suspendedReason: string | null
  party: SuspensionState & { id: number; name: string; type: PageParty['partyType'] }
  /** Generation of the user's membership of the party; a later membership has another. */
  membershipGeneration: number
}

/** The rule of `visibleTo` for the user of a row, without the sandbox, whose listing nobody needs. */
const HAS_LISTING = `(a.visibility IN ('listed', 'unlisted') OR (a.visibility = 'private' AND EXISTS (
        SELECT 1 FROM app_audience x JOIN memberships xm ON xm.party_id = x.party_id
        WHERE x.app_id = a.id AND xm.user_id = k.user_id)))`

/** One statement, so that app, installations and memberships are read at one moment. */
const findApp = batchedLookUp<FoundApp>({
  name: 'redirect-apps',
  text: `
    SELECT CASE WHEN d.id IS NOT NULL THEN json_build_object(
      'kids', (SELECT json_agg(kid) FROM signing_keys),
      'id', a.id, 'name', a.name, 'hasListing', ${HAS_LISTING},
      'suspendedAt', a.suspended_at, 'suspendedReason', a.suspended_reason,
      'authReturnUrl', a.auth_return_url, 'websiteUrl', a.website_url,
      'tokenDelivery', a.token_delivery, 'redirectErrors', a.redirect_errors,
      'developer', json_build_object(
        'suspendedAt', d.suspended_at, 'suspendedReason', d.suspended_reason,
        'credentials', (
          SELECT coalesce(json_object_agg(c.client_id, c.id), '{}') FROM developer_credentials c
          WHERE c.developer_id = d.id AND c.removed_at IS NULL)),
      'installations', (
        SELECT coalesce(json_agg(json_build_object(
          'id', i.id, 'appId', i.app_id, 'partyId', i.party_id, 'partyType', i.party_type,
          'permissions', i.permissions, 'tokenGeneration', i.token_generation,
          'status', i.status,
          'suspendedBy', i.suspended_by, 'suspendedReason', i.suspended_reason,
          'membershipGeneration', m.generation,
          'party', json_build_object(
            'id', p.id, 'name', p.name, 'type', p.type,
            'suspendedAt', p.suspended_at, 'suspendedReason', p.suspended_reason)
        ) ORDER BY p.id), '[]')
        FROM memberships m
        JOIN parties p ON p.id = m.party_id
        JOIN installations i ON i.party_id = p.id AND i.app_id = a.id AND i.live
        WHERE m.user_id = k.user_id)) END
    FROM unnest((SELECT $1::text[]), (SELECT $2::uuid[]))
      WITH ORDINALITY AS k (app_id, user_id, position)
    LEFT JOIN apps a ON a.id = k.app_id AND a.deleted_at IS NULL
    LEFT JOIN developers d ON d.id = a.developer_id
    ORDER BY k.position`,
})

/**
 * An app with its installations in the accounts of a user.
 *
 * @throws AppError not_found when there is no such app, or the user may not know of it
 */
export async function findRedirectApp(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  id: string,
  userId: string,
): Promise<FoundApp> {
  const app = isAppId(id) ? await findApp(pool, id, userId) : undefined
  if (app === undefined) throw unknownApp()
  const isVisible =
    app.installations.length > 0 ||
    (await db.app.count({ where: { id, ...visibleTo(userId) } })) > 0
  if (!isVisible) throw unknownApp()
  return app
}

/**
 * The app as a redirect leads to it.
 *
 * @throws AppError unprocessable, in words for a user who has the app
 */
export function openable(app: FoundApp, { clientId, code }: RedirectRequest): RedirectApp {
  const { id, name, hasListing, authReturnUrl, developer, installations, kids } = app
  const ownId = installations[0]?.id
  const [suspension] = suspensionsOfApp(app)
  if (suspension !== undefined) throw appSuspended(app, ownId, suspension.reason)
  const credentialId = credentialOf(developer, clientId)
  if (credentialId === undefined && (clientId !== undefined || code !== undefined)) {
    throw wrongClientId(app, ownId, clientId !== undefined)
  }
  if (!authReturnUrl) throw nothingToOpen(app, ownId)
  const isToldErrors = code !== undefined || app.redirectErrors === 'return'
  const problemOf = isToldErrors ? answerUrlProblem : authReturnUrlProblem
  // The address was checked when it was saved. It is checked again here, where a wrong one does
  // harm.
  if (problemOf(authReturnUrl) !== null) throw brokenReturnAddress(app, ownId)
  if (code === undefined && app.tokenDelivery === 'code') throw takesCodes(app, ownId)
  if ((code?.redirectUri ?? authReturnUrl) !== authReturnUrl) throw wrongReturnAddress(app, ownId)
  return { id, name, hasListing, authReturnUrl, credentialId, isToldErrors, kids }
}

function credentialOf({ credentials }: FoundApp['developer'], clientId: string | undefined) {
  if (clientId === undefined || !Object.hasOwn(credentials, clientId)) return undefined
  return credentials[clientId]
}

/**
 * The error for a user who has not installed the app: for which account it is missing, and what to
 * do.
 */
export async function notInstalledFor(
  db: Deps['db'],
  userId: string,
  app: Pick<FoundApp, 'id' | 'name' | 'hasListing'>,
  request: RedirectRequest,
): Promise<AppError> {
  const { partyId } = request
  const own = { memberships: { some: { userId } } }
  const [accounts, named, elsewhere] = await Promise.all([
    db.party.findMany({ where: own, take: 2, select: { id: true, name: true } }),
    partyId === undefined ? null : db.party.findFirst({ where: { ...own, id: partyId } }),
    db.installation.count({ where: { appId: app.id, live: true, party: own } }),
  ])
  const anyAccount = elsewhere > 0 ? redirectPath({ ...request, partyId: undefined }) : undefined
  if (partyId !== undefined && named === null) return notYourAccount(app, partyId, anyAccount)
  const only = accounts.length === 1 ? accounts[0] : undefined
  return notInstalled(app, named ?? only, {
    anyAccount,
    isOneOfSeveral: accounts.length > 1,
  })
}
