import { inTransaction } from '../../base/database/transaction.ts'
import { type Actor, SYSTEM } from '../../base/values/actor.ts'
import { parseInput, unprocessable } from '../../base/values/field-errors.ts'
import { pageOf } from '../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { PartyType } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import type { Connection } from './operator-records.ts'
import { ConnectionRequest } from './operator-requests.ts'
import { holdOpenParties } from './parties-service.ts'
import { refusingDuplicates } from './refusals-service.ts'

export type ConnectionFilters = { buyerId?: number | undefined; sellerId?: number | undefined }

/** Connections in the order of Buyer and Seller. */
export async function listConnections(
  { db }: Pick<Deps, 'db'>,
  { buyerId, sellerId }: ConnectionFilters,
  { after, limit }: PageRequest,
): Promise<Page<Connection>> {
  const rows = await db.connection.findMany({
    where: {
      ...(buyerId === undefined ? {} : { buyerId }),
      ...(sellerId === undefined ? {} : { sellerId }),
      ...(after === undefined
        ? {}
        : {
            // Postgres can start reading an index at this condition, but not at an OR.
            AND: { buyerId: { gte: Number(after[0]) } },
            OR: [
              { buyerId: { gt: Number(after[0]) } },
              { buyerId: Number(after[0]), sellerId: { gt: Number(after[1]) } },
            ],
          }),
    },
    select: { buyerId: true, sellerId: true },
    orderBy: [{ buyerId: 'asc' }, { sellerId: 'asc' }],
    take: limit + 1,
  })
  return pageOf(
    rows,
    limit,
    (row) => row,
    (row) => [row.buyerId, row.sellerId],
  )
}

/**
 * Lets a Buyer see the products of a Seller. Each of the two has an entry in its audit trail.
 *
 * @param actor who does it; the marketplace itself unless given
 * @throws AppError already_exists; unprocessable when either is unknown, of another type, or closed
 */
export async function createConnection(
  { db }: Pick<Deps, 'db'>,
  input: ConnectionRequest,
  actor: Actor = SYSTEM,
): Promise<Connection> {
  const { buyerId, sellerId } = parseInput(ConnectionRequest, input)
  const parties = await db.party.findMany({ where: { id: { in: [buyerId, sellerId] } } })
  const typeOf = (id: number) => parties.find((party) => party.id === id)?.type
  const errors: FieldError[] = []
  const check = (pointer: string, id: number, type: PartyType) => {
    const found = typeOf(id)
    if (found === type) return
    const is = found === 'None' ? 'sandbox' : found
    const detail = is ? `${id} is a ${is}, not a ${type}` : 'There is no such party.'
    errors.push({ pointer, detail })
  }
  check('/buyerId', buyerId, 'Buyer')
  check('/sellerId', sellerId, 'Seller')
  if (errors.length > 0) throw unprocessable(errors)
  await refusingDuplicates({ pointer: '/sellerId', detail: 'They are connected already.' }, () =>
    inTransaction(db, async (tx) => {
      const closed = await holdOpenParties(tx, [
        { id: buyerId, pointer: '/buyerId' },
        { id: sellerId, pointer: '/sellerId' },
      ])
      if (closed.length > 0) throw unprocessable(closed)
      await tx.connection.create({ data: { buyerId, sellerId } })
      for (const partyId of [buyerId, sellerId]) {
        await recordAudit(tx, {
          actor,
          action: 'connection.created',
          subject: { kind: 'connection', id: `${buyerId}/${sellerId}` },
          partyId,
          after: { buyerId, sellerId },
        })
      }
    }),
  )
  return { buyerId, sellerId }
}

/**
 * Ends a connection: the Buyer no longer sees the products of the Seller.
 *
 * @throws AppError not_found
 */
export async function removeConnection(
  { db }: Pick<Deps, 'db'>,
  { buyerId, sellerId }: Connection,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { count } = await tx.connection.deleteMany({ where: { buyerId, sellerId } })
    if (count === 0) throw new AppError('not_found', { detail: 'There is no such connection.' })
    for (const partyId of [buyerId, sellerId]) {
      await recordAudit(tx, {
        actor,
        action: 'connection.removed',
        subject: { kind: 'connection', id: `${buyerId}/${sellerId}` },
        partyId,
        before: { buyerId, sellerId },
      })
    }
  })
}
