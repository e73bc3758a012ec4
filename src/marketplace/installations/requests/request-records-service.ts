import { z } from 'zod'
import type { Prisma } from '../../../base/database/generated/client.ts'
import type { PartyType } from '../../../base/values/party-type.ts'
import type { Deps } from '../../../deps.ts'
import { AppPermission } from '../../apps/app-record.ts'
import { quote } from '../../apps/pricing/quotes.ts'
import { purchaseOptionOf } from '../../apps/stored-definition.ts'
import { countProducts } from '../../products/count-service.ts'
import { GivenConsent } from '../consent.ts'
import { InstallRequestRecord, InstallRequestStatus } from './install-request.ts'
import type { RequestSummary } from './request-shown.ts'

/** The parts of a request that its record shows. */
export const REQUEST_PARTS = {
  membership: { select: { user: { select: { name: true } }, party: true } },
  purchaseOption: { include: { appVersion: { select: { permissions: true } } } },
} as const satisfies Prisma.InstallRequestInclude

/** A request with the parts that its record shows. */
export type RequestRow = Prisma.InstallRequestGetPayload<{ include: typeof REQUEST_PARTS }>

/** What a summary leaves out: a megabyte of settings, and texts. */
export const NOT_IN_SUMMARY = { userSettings: true, passwords: true, consent: true } as const

type SummaryRow = Prisma.InstallRequestGetPayload<{
  omit: typeof NOT_IN_SUMMARY
  include: { membership: typeof REQUEST_PARTS.membership; purchaseOption: true }
}>

const Permissions = z.array(AppPermission)
const { userSettings: UserSettings } = InstallRequestRecord.shape

/** Makes summaries of the requests of one party, with prices for the products that it sees now. */
export async function summariesFor(
  { db }: Pick<Deps, 'db'>,
  { id, type }: { id: number; type: PartyType },
): Promise<(row: SummaryRow) => RequestSummary> {
  const products = await countProducts({ db }, { partyId: id, partyType: type })
  return (row) => ({
    id: row.id,
    partyId: row.partyId,
    userId: row.userId,
    userName: row.membership.user.name,
    appId: row.appId,
    version: row.version,
    purchaseOptionId: row.purchaseOptionId,
    quote: quote(purchaseOptionOf(row.purchaseOption), products),
    passwordsSet: row.passwordKeys,
    note: row.note,
    status: InstallRequestStatus.parse(row.status),
    reason: row.reason,
    installationId: row.installationId,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
  })
}

/** Makes records of the requests of one party, likewise. */
export async function recordsFor(
  deps: Pick<Deps, 'db'>,
  party: { id: number; type: PartyType },
): Promise<(row: RequestRow) => InstallRequestRecord> {
  const summaryOf = await summariesFor(deps, party)
  return (row) => ({
    ...summaryOf(row),
    permissions: permissionsOf(row.purchaseOption.appVersion),
    userSettings: requestedSettingsOf(row),
    ...GivenConsent.parse(row.consent),
  })
}

/** The permissions of a version, as a request shows them. */
export function permissionsOf(version: {
  permissions: unknown
}): InstallRequestRecord['permissions'] {
  return Permissions.parse(version.permissions)
}

/** The settings that were entered for a request, without passwords. */
export function requestedSettingsOf(row: {
  userSettings: unknown
}): InstallRequestRecord['userSettings'] {
  return UserSettings.parse(row.userSettings)
}

/** The record of one request. */
export async function requestRecord(
  deps: Pick<Deps, 'db'>,
  row: RequestRow,
): Promise<InstallRequestRecord> {
  return (await recordsFor(deps, row.membership.party))(row)
}
