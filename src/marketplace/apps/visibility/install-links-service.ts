import type { InstallLink as StoredLink } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import { findableSecret, isSecretOf, secretHash } from '../../../base/secrets/findable-secret.ts'
import type { Actor, DeveloperAuthor } from '../../../base/values/actor.ts'
import { BY_CREATION, createdAfter, creationPosition, pageOf } from '../../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { lockApp } from '../publish-service.ts'
import {
  type CreatedInstallLink,
  INSTALL_LINK_PAGE,
  type InstallLink,
  type InstallLinkRequest,
} from './visibility.ts'
import { NOT_SUSPENDED } from './visible-apps-service.ts'

/** So many links an app may have. */
const LINKS_MAX = 100

/**
 * Makes a link with which accounts find a private app.
 *
 * @returns the link with its address, of which only the hash is kept
 * @throws AppError not_found; unprocessable for an account that there is not and a moment that has
 *   passed; conflict when the app has as many links as it may
 */
export async function createInstallLink(
  { db, config, now }: Pick<Deps, 'db' | 'config' | 'now'>,
  { developerId, actor }: DeveloperAuthor,
  appId: string,
  { uses, expiresAt, partyId }: InstallLinkRequest,
): Promise<CreatedInstallLink> {
  const secret = findableSecret('installLink')
  const ends = expiresAt === undefined ? null : new Date(expiresAt)
  const link = await inTransaction(db, async (tx) => {
    await lockApp(tx, developerId, appId)
    if ((await tx.installLink.count({ where: { appId } })) >= LINKS_MAX) {
      throw new AppError('conflict', {
        detail: `An app has at most ${LINKS_MAX} install links. Delete one that is not needed.`,
      })
    }
    await requirePossible(tx, { ends, partyId }, now())
    const made = await tx.installLink.create({
      data: {
        appId,
        secretSha256: secretHash(secret),
        uses: uses ?? null,
        expiresAt: ends,
        partyId: partyId ?? null,
        createdAt: now(),
      },
    })
    await recordAudit(tx, {
      actor,
      action: 'install_link.created',
      subject: { kind: 'app', id: appId },
      developerId,
      after: { linkId: made.id, uses: made.uses, partyId: made.partyId },
    })
    return made
  })
  return { ...linkOf(link), url: `${config.publicUrl}${INSTALL_LINK_PAGE}?token=${secret}` }
}

async function requirePossible(
  tx: Db,
  { ends, partyId }: { ends: Date | null; partyId: number | undefined },
  time: Date,
): Promise<void> {
  const errors = []
  if (ends !== null && ends <= time) {
    errors.push({ pointer: '/expiresAt', detail: 'This moment has passed.' })
  }
  const where = { id: partyId ?? 0, type: { not: 'None' }, closedAt: null } as const
  if (partyId !== undefined && (await tx.party.count({ where })) === 0) {
    errors.push({ pointer: '/partyId', detail: 'There is no such account.' })
  }
  if (errors.length > 0) {
    throw new AppError('unprocessable', { detail: 'Nobody could use this link.', errors })
  }
}

/**
 * The install links of an app, oldest first.
 *
 * @throws AppError not_found
 */
export async function listInstallLinks(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  appId: string,
  { after, limit }: PageRequest,
): Promise<Page<InstallLink>> {
  const app = await db.app.findFirst({
    where: { id: appId, developerId, deletedAt: null },
    select: {
      installLinks: { where: createdAfter(after), orderBy: BY_CREATION, take: limit + 1 },
    },
  })
  if (app === null) throw new AppError('not_found')
  return pageOf(app.installLinks, limit, linkOf, creationPosition)
}

/**
 * Deletes a link. Accounts that used it no longer find the app while it is private; those that have
 * it installed keep it.
 *
 * @throws AppError not_found
 */
export async function deleteInstallLink(
  { db }: Pick<Deps, 'db'>,
  { developerId, actor }: DeveloperAuthor,
  appId: string,
  id: string,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { count } = await tx.installLink.deleteMany({
      where: { id, appId, app: { developerId } },
    })
    if (count === 0) throw new AppError('not_found')
    await recordAudit(tx, {
      actor,
      action: 'install_link.deleted',
      subject: { kind: 'app', id: appId },
      developerId,
      before: { linkId: id },
    })
  })
}

/** What a link leads to. */
type Target = { id: string; name: string; description: string; developerName: string }

/**
 * The app that a link leads to, before it is used.
 *
 * @param found the address of the link, or its token
 * @throws AppError invalid_link, the same for whatever does not lead anywhere
 */
export async function readInstallLink(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  found: string,
): Promise<{ link: StoredLink; app: Target }> {
  const token = tokenIn(found)
  if (!isSecretOf('installLink', token)) throw deadLink()
  const row = await db.installLink.findFirst({
    where: { secretSha256: secretHash(token), app: { deletedAt: null, ...NOT_SUSPENDED } },
    include: {
      app: {
        select: {
          id: true,
          name: true,
          description: true,
          visibility: true,
          developer: { select: { name: true } },
        },
      },
    },
  })
  if (row === null || row.app.visibility === 'draft') throw deadLink()
  const { app, ...link } = row
  if (link.expiresAt !== null && link.expiresAt <= now()) throw deadLink()
  const { id, name, description, developer } = app
  return { link, app: { id, name, description, developerName: developer.name } }
}

/** So many accounts are offered to choose from. */
const ACCOUNTS_MAX = 100

/** The accounts of a user that can install apps, by name. */
export function accountsForLink(
  { db }: Pick<Deps, 'db'>,
  userId: string,
): Promise<{ id: number; name: string }[]> {
  return db.party.findMany({
    where: { memberships: { some: { userId } }, type: { not: 'None' }, closedAt: null },
    select: { id: true, name: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: ACCOUNTS_MAX,
  })
}

/**
 * Uses a link for an account of the user: it finds the app from now on. An account that finds it
 * already uses nothing up.
 *
 * @returns the id of the app
 * @throws AppError invalid_link; not_found when the account is not the user's
 */
export async function useInstallLink(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { userId, actor }: { userId: string; actor: Actor },
  { link: found, partyId }: { link: string; partyId: number },
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const own = { id: partyId, memberships: { some: { userId } } }
    if ((await tx.party.count({ where: own })) === 0) {
      throw new AppError('not_found', { detail: 'You have no such account.' })
    }
    const { link, app } = await readInstallLink({ db: tx, now }, found)
    const added = await tx.$executeRaw`
      INSERT INTO app_audience (app_id, party_id, link_id)
      VALUES (${app.id}, ${partyId}, ${link.id}::uuid) ON CONFLICT DO NOTHING`
    if (added === 0) return app.id
    // Decides, too, when several accounts use the last use at once.
    const taken = await tx.$executeRaw`
      UPDATE install_links SET used = used + 1
      WHERE id = ${link.id}::uuid AND (uses IS NULL OR used < uses)
        AND (party_id IS NULL OR party_id = ${partyId})`
    if (taken === 0) throw deadLink()
    const { developerId } = await tx.app.findUniqueOrThrow({ where: { id: app.id } })
    await recordAudit(tx, {
      actor,
      action: 'install_link.used',
      subject: { kind: 'app', id: app.id },
      developerId,
      partyId,
      after: { linkId: link.id },
    })
    return app.id
  })
}

/**
 * Deletes a link whose secret somebody has found where it does not belong.
 *
 * @returns whose link it was; undefined when there is no such link
 */
export async function endReportedInstallLink(
  tx: Db,
  secretSha256: Uint8Array<ArrayBuffer>,
): Promise<{ linkId: string; appId: string; developerId: string } | undefined> {
  const [row] = await tx.$queryRaw<{ linkId: string; appId: string; developerId: string }[]>`
    DELETE FROM install_links l USING apps a
    WHERE l.secret_sha256 = ${secretSha256} AND a.id = l.app_id
    RETURNING l.id AS "linkId", l.app_id AS "appId", a.developer_id AS "developerId"`
  return row
}

function linkOf({ id, uses, used, partyId, expiresAt, createdAt }: StoredLink): InstallLink {
  return { id, uses, used, partyId, expiresAt, createdAt }
}

/** The token alone, or that of an address. */
function tokenIn(found: string): string {
  const text = found.trim()
  return (URL.canParse(text) && new URL(text).searchParams.get('token')) || text
}

function deadLink(): AppError {
  return new AppError('invalid_link', {
    detail:
      'This install link leads nowhere: it has ended, was used up, is for another account, or was ' +
      'not copied whole. Ask the developer of the app for a new one.',
    page: {
      title: 'The link cannot be used',
      ways: [{ href: '/', label: 'All apps' }],
      isFault: false,
    },
  })
}
