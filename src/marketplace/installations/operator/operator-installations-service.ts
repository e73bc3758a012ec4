import type { Prisma } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { parseInput } from '../../../base/values/field-errors.ts'
import { pageOf } from '../../../base/values/keyset.ts'
import { type Orders, orderOf } from '../../../base/values/list-order.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { Suspension } from '../../../identity/accounts/operator-records.ts'
import { SuspensionRequest } from '../../../identity/accounts/operator-requests.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import type { PurchaseOption } from '../../apps/pricing/purchase-options.ts'
import { purchaseOptionOf } from '../../apps/stored-definition.ts'
import type { Installation } from '../installation.ts'
import { resumeInstallation, suspendInstallation } from '../lifecycle-service.ts'
import { uninstalledAlready } from '../stored-installation-service.ts'
import type { OperatorInstallation } from './operator-installation.ts'

export type OperatorInstallationFilters = {
  appId?: string | undefined
  developerId?: string | undefined
  partyId?: number | undefined
  partyType?: Installation['partyType'] | undefined
  status?: Installation['status'] | undefined
}

/** The JSON of an installation has its settings: up to a megabyte. */
const WITHOUT_BODY = { body: true } as const

const ORDERS = {
  since: [{ name: 'installDate', isTime: true }, { name: 'id' }],
} as const satisfies Orders

/**
 * All installations, oldest first unless another order is asked for, without settings; uninstalled
 * ones only when the status asks for them.
 */
export async function listAllInstallations(
  { db }: Pick<Deps, 'db'>,
  filters: OperatorInstallationFilters,
  page: PageRequest,
): Promise<Page<OperatorInstallation>> {
  const { where, orderBy, positionOf } = orderOf(ORDERS, page)
  const rows = await db.installation.findMany({
    where: { AND: [installationsWith(filters), where] },
    ...SHOWN,
    orderBy,
    take: page.limit + 1,
  })
  return pageOf(rows, page.limit, operatorInstallationOf, positionOf)
}

/** How many installations there are with these filters, up to a number that means that or more. */
export function countInstallationsWith(
  { db }: Pick<Deps, 'db'>,
  filters: OperatorInstallationFilters,
  max: number,
): Promise<number> {
  const orderBy = [{ installDate: 'asc' as const }, { id: 'asc' as const }]
  return db.installation.count({ where: installationsWith(filters), orderBy, take: max })
}

/** Installation -> its purchase option, in the version that it has. */
export async function optionsOfInstallations(
  { db }: Pick<Deps, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PurchaseOption>> {
  const rows = await db.installation.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, purchaseOption: true },
  })
  return new Map(rows.map(({ id, purchaseOption }) => [id, purchaseOptionOf(purchaseOption)]))
}

function installationsWith(filters: OperatorInstallationFilters): Prisma.InstallationWhereInput {
  const { appId, developerId, partyId, partyType, status } = filters
  return {
    ...(appId === undefined ? {} : { appId }),
    ...(developerId === undefined ? {} : { developerId }),
    ...(partyId === undefined ? {} : { partyId }),
    ...(partyType === undefined ? {} : { partyType }),
    ...(status === undefined ? { live: true } : { status }),
  }
}

const SHOWN = {
  omit: WITHOUT_BODY,
  include: {
    app: { select: { name: true, developer: { select: { name: true } } } },
    party: { select: { name: true } },
    lifted: true,
  },
} as const satisfies Prisma.InstallationDefaultArgs

function operatorInstallationOf(
  row: Prisma.InstallationGetPayload<typeof SHOWN>,
): OperatorInstallation {
  return {
    id: row.id,
    appId: row.appId,
    appName: row.app.name,
    developerId: row.developerId,
    developerName: row.app.developer.name,
    partyType: row.partyType,
    partyId: row.partyId,
    partyName: row.party.name,
    installDate: row.installDate,
    purchaseOptionId: row.purchaseOptionId,
    installedVersion: row.installedVersion,
    status: row.status,
    permissions: row.permissions,
    suspendedAt: row.suspendedAt,
    suspendedBy: row.suspendedBy as OperatorInstallation['suspendedBy'],
    suspendedReason: row.suspendedReason,
    uninstalledAt: row.uninstalledAt,
    reinstallBarred: isBarred(row),
    updatedAt: row.updatedAt,
  }
}

/**
 * One installation, uninstalled ones included, without its settings.
 *
 * @throws AppError not_found
 */
export async function readAnyInstallation(
  { db }: Pick<Deps, 'db'>,
  id: string,
): Promise<OperatorInstallation> {
  const row = await db.installation.findUnique({ where: { id }, ...SHOWN })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such installation.' })
  return operatorInstallationOf(row)
}

/** The names of installations: id -> such as "Price Sync of Keyline Electronics". */
export async function namesOfInstallations(
  { db }: Pick<Deps, 'db'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.installation.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, app: { select: { name: true } }, party: { select: { name: true } } },
  })
  return new Map(rows.map(({ id, app, party }) => [id, `${app.name} of ${party.name}`]))
}

/**
 * Suspends an installation as the operator. It replaces a suspension by the developer: from then on
 * only the operator can resume it. Repeating the call changes nothing; another reason replaces the
 * first.
 *
 * @throws AppError conflict when it is uninstalled; unprocessable, not_found
 */
export async function suspendAsOperator(
  deps: Pick<Deps, 'db' | 'now'>,
  id: string,
  input: SuspensionRequest,
  actor: Actor,
): Promise<Suspension> {
  const { reason } = parseInput(SuspensionRequest, input)
  return inTransaction(deps.db, async (tx) => {
    const { suspendedBy, suspendedReason, live } = await take(tx, id)
    if (live === null) throw uninstalledAlready()
    if (suspendedBy !== 'operator' || suspendedReason !== reason) {
      await suspendInstallation(
        { ...deps, db: tx },
        { installationId: id, where: {}, actor },
        reason,
      )
    }
    return readSuspension(tx, id)
  })
}

/**
 * Ends a suspension by the operator or the developer; tokens that have not expired work again. For
 * an installation that was uninstalled while an operator's suspension held, it lets the account
 * install the app again.
 *
 * @throws AppError conflict when it is uninstalled and no operator had suspended it; not_found
 */
export async function resumeAsOperator(
  deps: Pick<Deps, 'db' | 'now'>,
  id: string,
  actor: Actor,
): Promise<Suspension> {
  return inTransaction(deps.db, async (tx) => {
    const row = await take(tx, id)
    if (row.live !== null) {
      await resumeInstallation({ ...deps, db: tx }, { installationId: id, where: {}, actor })
    } else {
      if (row.suspendedBy !== 'operator') throw uninstalledAlready()
      if (isBarred(row)) await liftBar(tx, row, actor)
    }
    return readSuspension(tx, id)
  })
}

/** Locks the row until the end of the transaction. */
async function take(tx: Db, id: string) {
  await tx.$queryRaw`SELECT 1 FROM installations WHERE id = ${id}::uuid FOR UPDATE`
  const row = await tx.installation.findUnique({
    where: { id },
    omit: WITHOUT_BODY,
    include: { lifted: true },
  })
  if (row === null) throw new AppError('not_found', { detail: 'There is no such installation.' })
  return row
}

type SuspendedRow = { live: boolean | null; suspendedBy: string | null; lifted: object | null }

/** Whether a row is one of `BARRED`. */
function isBarred({ live, suspendedBy, lifted }: SuspendedRow): boolean {
  return live === null && suspendedBy === 'operator' && lifted === null
}

async function liftBar(tx: Db, row: Awaited<ReturnType<typeof take>>, actor: Actor): Promise<void> {
  const { id, developerId, partyId, suspendedReason } = row
  await tx.liftedSuspension.create({ data: { installationId: id } })
  await recordAudit(tx, {
    actor,
    action: 'installation.resumed',
    subject: { kind: 'installation', id },
    developerId,
    partyId,
    before: { status: 'uninstalled', reinstallBarred: true, reason: suspendedReason },
    after: { status: 'uninstalled', reinstallBarred: false },
  })
}

async function readSuspension(tx: Db, id: string): Promise<Suspension> {
  const row = await tx.installation.findUniqueOrThrow({
    where: { id },
    omit: WITHOUT_BODY,
    include: { lifted: true },
  })
  const { suspendedAt, suspendedReason, lifted } = row
  if (lifted !== null) {
    return { id: row.id, suspended: false, suspendedAt: null, suspendedReason: null }
  }
  return { id: row.id, suspended: row.status === 'suspended', suspendedAt, suspendedReason }
}
