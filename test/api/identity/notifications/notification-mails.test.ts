import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DigestJob } from '../../../../src/base/mail/mail-job.ts'
import { createMailer } from '../../../../src/base/mail/mailer.ts'
import { askDigests } from '../../../../src/identity/notifications/digest-service.ts'
import { deliverMail } from '../../../../src/identity/people/deliver-mail-service.ts'
import { TIDYING } from '../../../../src/process/start/job-kinds.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { type MailServer, startMailServer } from '../../../setup/mail-server.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { waitUntil } from '../../../setup/server-process.ts'
import { hiddenFields, mainOf, signedIn } from '../../../setup/web-client.ts'

const DAY = 86_400
const SWITCHES = '/Account/Notifications/Mail'

let mails: MailServer
let market: TestMarketplace
beforeAll(async () => {
  mails = await startMailServer()
  market = await startMarketplace({ config: mails.config })
})
afterAll(async () => {
  await market.close()
  await mails.close()
})

/** An admin of an account with a name that turns text round. */
async function admin() {
  const { party, user } = await newCustomer(market)
  const name = `\u202eHomewell <${party.id}>`
  await market.deps.db.party.update({ where: { id: party.id }, data: { name } })
  const tell = (kind = 'installation_suspended', toMail = true) =>
    market.deps.db.notification.create({
      data: {
        ...{ userId: user.id, kind, partyId: party.id, subjectId: '1', toMail },
        data: { cause: 'account' },
      },
    })
  return { party, user, tell }
}

/** The jobs that wait for a user. */
async function jobsOf(userId: string): Promise<DigestJob[]> {
  const { rows } = await market.deps.pool.query<{ data: DigestJob }>(
    `SELECT data FROM pgboss.job WHERE name = 'mail' AND data ->> 'digestFor' = $1
     ORDER BY created_on`,
    [userId],
  )
  return rows.map(({ data }) => data)
}

/** Does a job as the worker does. */
function send(job: DigestJob | undefined): Promise<void> {
  const { smtpUrl, mailFrom } = mails.config
  if (!smtpUrl || !mailFrom || !job) throw new Error('no job')
  return deliverMail(market.deps, createMailer(smtpUrl, mailFrom), job)
}

const waits = ({ id }: { id: bigint }) =>
  market.deps.db.notification.findUniqueOrThrow({ where: { id } }).then(({ toMail }) => toMail)

test('a person gets one mail a day with what is unread, however many replicas ask for it', async () => {
  const { party, user, tell } = await admin()
  const [told, off] = [await tell(), await tell('installation_resumed', false)]
  await Promise.all([askDigests(market.deps), askDigests(market.deps), askDigests(market.deps)])
  const [job, ...more] = await jobsOf(user.id)
  expect(more).toEqual([])
  const { raw } = await mails.next(user.email, () => send(job))
  const text = raw.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')
  expect(text).toContain('Subject: Your notifications from App Marketplace')
  expect(text).toContain(`The operator suspended Homewell <${party.id}>. Its apps do not work.`)
  expect(text).toContain(`href="${market.url}/Installed?partyId=${party.id}"`)
  expect(text).toContain(`The operator suspended Homewell &lt;${party.id}&gt;.`)
  expect(text).toContain(`${market.url}${SWITCHES}`)
  expect(text).not.toContain('resumed')
  expect([await waits(told), await waits(off)]).toEqual([false, false])
  await tell()
  await askDigests(market.deps)
  expect(await jobsOf(user.id)).toHaveLength(1)
  market.advance(DAY)
  await askDigests(market.deps)
  expect(await jobsOf(user.id)).toHaveLength(2)
})

test('what is read or no longer theirs by then is not mailed, and what comes with a newer mail not twice', async () => {
  const { party, user, tell } = await admin()
  await tell()
  await askDigests(market.deps)
  const [job] = await jobsOf(user.id)
  const before = mails.received.length
  await market.deps.db.membership.deleteMany({ where: { userId: user.id } })
  await send(job)
  expect(mails.received).toHaveLength(before)
  await market.deps.db.membership.create({ data: { userId: user.id, partyId: party.id } })
  market.advance(DAY)
  await askDigests(market.deps)
  await send(job)
  expect(mails.received).toHaveLength(before)
  const [, newer] = await jobsOf(user.id)
  await market.deps.db.notification.updateMany({
    where: { userId: user.id },
    data: { readAt: new Date(), toMail: false },
  })
  await send(newer)
  expect(mails.received).toHaveLength(before)
})

test('a mail that the server does not take leaves its notifications for the next day', async () => {
  const { user, tell } = await admin()
  const told = await tell()
  await askDigests(market.deps)
  mails.refuseWith(451, 'DATA', '4.3.0 later')
  await expect(send((await jobsOf(user.id))[0])).rejects.toThrow()
  mails.refuseWith()
  expect(await waits(told)).toBe(true)
})

test('nobody gets a mail at an address that is not proved, or while suspended', async () => {
  const [unproved, suspended] = [await admin(), await admin()]
  await Promise.all([unproved.tell(), suspended.tell()])
  const change = (id: string, data: object) => market.deps.db.user.update({ where: { id }, data })
  await change(unproved.user.id, { emailProved: false })
  await change(suspended.user.id, { suspendedAt: new Date() })
  await askDigests(market.deps)
  expect(await jobsOf(unproved.user.id)).toEqual([])
  expect(await jobsOf(suspended.user.id)).toEqual([])
})

test('the switches say which kinds are mailed, also of what waits already', async () => {
  const { party, user, tell } = await admin()
  const browser = await signedIn(market, user)
  const page = await browser.get(SWITCHES)
  const shown = mainOf(page)
  expect(shown).toMatch(/name="installation_suspended"\s+value="true" checked/)
  expect(shown).toMatch(/name="installation_resumed"\s+value="true">/)
  for (const other of ['endpoint_failing', 'record_suspended']) expect(shown).not.toContain(other)
  const told = await tell()
  const { _csrf = '' } = hiddenFields(page.text)
  const answer = await browser.submit(SWITCHES, { _csrf, installation_resumed: 'true' })
  expect(answer.location).toBe('/Account/Notifications')
  expect(await waits(told)).toBe(false)
  const again = mainOf(await browser.get(SWITCHES))
  expect(again).toMatch(/name="installation_resumed"\s+value="true" checked/)
  expect(again).toMatch(/name="installation_suspended"\s+value="true">/)
  const operator = await operatorCalls(market)
  await operator('POST', `Parties/${party.id}/Suspend`, { reason: 'Why.' })
  await operator('POST', `Parties/${party.id}/Resume`)
  const stored = await market.deps.db.notification.findMany({
    where: { userId: user.id },
    orderBy: { id: 'desc' },
    take: 2,
  })
  expect(stored.map(({ kind, toMail }) => [kind, toMail])).toEqual([
    ['installation_resumed', true],
    ['installation_suspended', false],
  ])
})

test('a server asks for mails by itself where there is a mail server, and for none elsewhere', async () => {
  const start = (config: object) => startMarketplace({ config, background: {} })
  const [mailing, silent] = [await start(mails.config), await start({})]
  onTestFinished(async () => {
    await Promise.all([mailing.close(), silent.close()])
  })
  const tellIn = async (one: TestMarketplace) => {
    const { party, user } = await newCustomer(one)
    await one.deps.db.notification.create({
      data: {
        ...{ userId: user.id, kind: 'installation_suspended', partyId: party.id, subjectId: '1' },
        ...{ toMail: true, data: { cause: 'account' } },
      },
    })
    return user
  }
  const user = await tellIn(silent)
  const mailed = await newCustomer(mailing)
  await mails.next(mailed.user.email, async () => {
    await mailing.deps.db.notification.create({
      data: {
        ...{ userId: mailed.user.id, kind: 'installation_suspended', partyId: mailed.party.id },
        ...{ subjectId: '1', toMail: true, data: { cause: 'account' } },
      },
    })
    await mailing.deps.jobs.ask(TIDYING, {})
  })
  await silent.deps.jobs.ask(TIDYING, {})
  await waitUntil(() => silent.deps.measures.jobs.done.tidying === 1)
  const { notificationsMailedAt } = await silent.deps.db.user.findUniqueOrThrow({
    where: { id: user.id },
  })
  expect(notificationsMailedAt).toBeNull()
  expect(mainOf(await (await signedIn(silent, user)).get(SWITCHES))).toContain('sends no mails')
})
