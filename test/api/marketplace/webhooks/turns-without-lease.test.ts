import type { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { addEndpoint, deliveriesOf, eventually, switchOften } from '../../../setup/deliveries.ts'
import { receivingMarket } from '../../../setup/receiving-market.ts'
import { noteStatements } from '../../../setup/statements.ts'
import { holdRows } from '../../../setup/turns.ts'

const at = receivingMarket()

/** Goes on when so many turns of an endpoint have ended since it was called. */
function turnsEnded(endpointId: string, count: number) {
  const statements = noteStatements(at.market.deps.measures.pools.get('background') as Pool)
  let ended = 0
  return eventually(
    async () => {
      ended += statements
        .take()
        .filter(({ text }) => text.includes('SET window_id = NULL'))
        .filter(({ values }) => values.includes(endpointId)).length
    },
    () => ended >= count,
  )
}

test('a delivery that could not be leased is sent by no other turn while its request is in flight', async () => {
  const { id } = await addEndpoint(at.market, at.receiver)
  const { db, now } = at.market.deps
  const rest = (restingUntil: Date | null) =>
    db.webhookEndpoint.update({ where: { id }, data: { restingUntil } })
  const held: (() => void)[] = []
  at.receiver.answerWith((response) => held.push(() => response.writeHead(204).end()))
  // It is laid out before it is sent, so that its row is held when the turn ends.
  await rest(new Date(now().getTime() + 3_600_000))
  await switchOften(at.market, at.installationId, 1)
  await eventually(
    () => deliveriesOf(at.market, id),
    (all) => all.length === 1,
  )
  const sql = 'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1::uuid FOR UPDATE'
  const row = await holdRows(at.market, sql, [id])
  onTestFinished(() => row.release())
  const firstTurn = turnsEnded(id, 1)
  await rest(null)
  await at.receiver.until(1)
  await firstTurn
  await row.release()
  expect(await deliveriesOf(at.market, id)).toMatchObject([{ status: 'pending', lease: null }])
  // One of them may have begun before the row was free.
  const furtherTurns = turnsEnded(id, 2)
  await furtherTurns
  expect(at.receiver.received).toHaveLength(1)
  held.shift()?.()
  const [delivery] = await at.attemptsDone(id, 1)
  expect(delivery).toMatchObject({ status: 'succeeded', attempts: 1, log: [{ number: 1 }] })
  expect(at.receiver.received).toHaveLength(1)
})
