import type { Prisma } from '../../../base/database/generated/client.ts'
import type { Visibility } from './visibility.ts'

/** Apps that are not suspended, and whose developers are not. */
export const NOT_SUSPENDED = {
  suspendedAt: null,
  developer: { suspendedAt: null },
} as const satisfies Prisma.AppWhereInput

/** Apps of the catalogue. */
export const LISTED = { listed: true, ...NOT_SUSPENDED } as const satisfies Prisma.AppWhereInput

const OPEN: Visibility[] = ['listed', 'unlisted']

/** Apps that everybody finds who has the address. */
export const OPEN_TO_ALL = {
  visibility: { in: OPEN },
} as const satisfies Prisma.AppWhereInput

/** Apps that somebody finds who is not signed in. */
export const VISIBLE_TO_ALL = {
  ...OPEN_TO_ALL,
  ...NOT_SUSPENDED,
} as const satisfies Prisma.AppWhereInput

/**
 * The one rule of who finds an app: everybody the listed and the unlisted ones, accounts also the
 * private ones that are for them and those of the sandbox that they are.
 *
 * @param party which accounts ask; undefined for nobody who is signed in
 */
function visibleToParties(party: Prisma.PartyWhereInput | undefined): Prisma.AppWhereInput {
  if (party === undefined) return VISIBLE_TO_ALL
  return {
    ...NOT_SUSPENDED,
    OR: [
      OPEN_TO_ALL,
      { visibility: 'private', audience: { some: { party } } },
      { developer: { sandboxParty: party } },
    ],
  }
}

/** Apps that a user finds with one of the accounts. */
export function visibleTo(userId: string | undefined): Prisma.AppWhereInput {
  return visibleToParties(userId === undefined ? undefined : { memberships: { some: { userId } } })
}

/**
 * Apps that the directory shows to a user: those of the catalogue, and the private ones that are for
 * the accounts.
 *
 * @param partyId of that account alone, if one is chosen
 */
export function inDirectoryOf(
  visitor: { userId: string; partyId: number | undefined } | undefined,
): Prisma.AppWhereInput {
  if (visitor === undefined) return LISTED
  const { userId, partyId } = visitor
  const party = partyId === undefined ? { memberships: { some: { userId } } } : { id: partyId }
  return {
    ...NOT_SUSPENDED,
    OR: [{ listed: true }, { visibility: 'private', audience: { some: { party } } }],
  }
}

/** Apps that an account finds and can install. */
export function installableFor(partyId: number | undefined): Prisma.AppWhereInput {
  return visibleToParties(partyId === undefined ? undefined : { id: partyId })
}

type Findable = {
  visibility: string
  audience: readonly { partyId: number }[]
  developer: { sandboxPartyId: number }
}

/**
 * The same rule for an app that was read with those of its audience that matter.
 *
 * @param partyId undefined for nobody
 */
export function isFoundBy(app: Findable, partyId: number | undefined): boolean {
  if ((OPEN as string[]).includes(app.visibility)) return true
  if (app.developer.sandboxPartyId === partyId) return true
  return app.visibility === 'private' && app.audience.some((one) => one.partyId === partyId)
}
