import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer } from '../../../../src/base/mail/mailer.ts'
import { type MailServer, startMailServer } from '../../../setup/mail-server.ts'

let mails: MailServer
beforeAll(async () => {
  mails = await startMailServer()
})
afterAll(() => mails.close())

const LINK = `https://marketplace.example.com/invitation?token=${'Az09-_'.repeat(10)}`

/** A mail as the server gets it. */
async function received(paragraph: string): Promise<string> {
  const { smtpUrl, mailFrom } = mails.config
  if (smtpUrl === undefined || mailFrom === undefined) throw new Error('no mail server')
  const mail = {
    subject: 'Hello',
    paragraphs: [paragraph],
    link: { label: 'Accept', address: LINK },
  }
  const to = 'ada@example.com'
  return (await mails.next(to, () => createMailer(smtpUrl, mailFrom).send(to, mail))).raw
}

test('a mail of short lines in ASCII is sent as it is, with its link in one piece', async () => {
  const raw = await received(`${'word '.repeat(30)}\n.\n..`)
  expect(raw.match(/^Content-Transfer-Encoding: 7bit\r$/gm)).toHaveLength(2)
  expect(raw).not.toContain('quoted-printable')
  expect(raw).toContain(`\r\n${LINK}\r\n`)
  expect(raw).toContain(`<a href="${LINK}">Accept</a>`)
  expect(raw).toContain('\r\n.\r\n..\r\n')
})

test.each(['Zoë', 'x'.repeat(1_000), 'a\u0001b'])('any other is encoded: %.4j', async (text) => {
  const raw = await received(text)
  expect(raw).not.toContain('7bit')
  for (const line of raw.split('\r\n')) expect(line.length).toBeLessThan(79)
})
