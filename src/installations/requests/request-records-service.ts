import { z } from 'zod'
import { AppPermission } from '../../apps/app-record.ts'
import { quote } from '../../apps/pricing/quotes.ts'
import { purchaseOptionOf } from '../../apps/stored-definition.ts'
import type { Prisma } from '../../database/generated/client.ts'
import type { Deps } from '../../deps.ts'
import { countProducts } from '../../products/count-service.ts'
import type { PartyType } from '../../values/party-type.ts'
import { GivenConsent } from '../consent.ts'
import { InstallRequestRecord, InstallRequestStatus } from './install-request.ts'

/** The parts of a request that its record shows. */
export const REQUEST_PARTS = {
  membership: { select: { user: { select: { name: true } }, party: true } },
  purchaseOption: { include: { appVersion: { select: { permissions: true } } } },
} as const satisfies Prisma.InstallRequestInclude

/** A request with the parts that its record shows. */
export type RequestRow = Prisma.InstallRequestGetPayload<{ include: typeof REQUEST_PARTS }>

const Permissions = z.array(AppPermission)
const { userSettings: UserSettings } = InstallRequestRecord.shape

/** Makes records of the requests of one party, with prices for the products that it sees now. */
export async function recordsFor(
  { db }: Pick<Deps, 'db'>,
  { id, type }: { id: number; type: PartyType },
): Promise<(row: RequestRow) => InstallRequestRecord> {
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
    permissions: Permissions.parse(row.purchaseOption.appVersion.permissions),
    userSettings: UserSettings.parse(row.userSettings),
    passwordsSet: row.passwordKeys,
    ...GivenConsent.parse(row.consent),
    note: row.note,
    status: InstallRequestStatus.parse(row.status),
    reason: row.reason,
    installationId: row.installationId,
    createdAt: row.createdAt,
    decidedAt: row.decidedAt,
  })
}

/** The record of one request. */
export async function requestRecord(
  deps: Pick<Deps, 'db'>,
  row: RequestRow,
): Promise<InstallRequestRecord> {
  return (await recordsFor(deps, row.membership.party))(row)
}
