import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openJobQueue } from '../../../../src/base/jobs/queue-service.ts'
import { MAIL } from '../../../../src/base/mail/mail-job.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type MailServer, startMailServer } from '../../../setup/mail-server.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { webClient } from '../../../setup/web-client.ts'

let mails: MailServer
let market: TestMarketplace
const lines: string[] = []
beforeAll(async () => {
  mails = await startMailServer()
  const config = { ...mails.config, logLevel: 'warn' as const }
  market = await startMarketplace({ config, background: {}, log: (line) => lines.push(line) })
})
afterAll(async () => {
  await market.close()
  await mails.close()
})

test('whoever invites reads that a mail was given up after its last try', async () => {
  mails.refuseWith(550, 'RCPT TO', 'no such user here')
  // A day of tries is over with the second one.
  await market.deps.pool.query(
    `UPDATE pgboss.queue SET retry_limit = 1, retry_delay = 1, retry_backoff = false
     WHERE name = 'mail'`,
  )
  const operator = await operatorCalls(market)
  const email = 'typo@keyline.example'
  await operator('POST', 'Invitations', { email, name: 'Dana Keyline' })
  const told = async () =>
    (await operator('GET', 'Invitations')).body.find(
      (one: { email: string }) => one.email === email,
    )
  await expect.poll(told).toMatchObject({ mailRefusedAt: expect.any(String) })
  expect(market.deps.measures.mails).toMatchObject({ postponed: 1, refused: 1 })
  expect(lines.join()).toContain('a mail could not be sent for a day; it is given up')
})

test('of a mail that came twice, the older one says that there is a newer one', async () => {
  mails.refuseWith()
  const operator = await operatorCalls(market)
  const email = 'twice@keyline.example'
  const invite = () => operator('POST', 'Invitations', { email, name: 'Dana Keyline' })
  const older = await mails.next(email, invite)
  const { id: linkId } = await market.deps.db.linkToken.findFirstOrThrow({ where: { email } })
  // As after a connection that was cut before the mail server's answer.
  await mails.next(email, () => market.deps.jobs.ask(MAIL, { linkId }))
  const { text } = await webClient(market).get((older.link ?? '').slice(market.url.length))
  expect(text).toContain('that it is the newest one')
})

test('a mail keeps its tries for a week in which no server runs', async () => {
  const { pool, log } = market.deps
  const jobs = await openJobQueue(pool, log, [MAIL])
  onTestFinished(() => jobs.close())
  const linkId = randomUUID()
  await jobs.ask(MAIL, { linkId })
  const { rows } = await pool.query(
    `SELECT keep_until >= start_after + interval '7 days' AS "isKept" FROM pgboss.job
     WHERE name = 'mail' AND data->>'linkId' = $1`,
    [linkId],
  )
  expect(rows).toEqual([{ isKept: true }])
})
