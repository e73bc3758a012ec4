import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { MAIL as MAIL_JOB } from '../../../../src/base/mail/mail-job.ts'
import type { SmtpServer } from '../../../../src/base/mail/mail-variables.ts'
import { createMailer, MAIL_MS, type MailError } from '../../../../src/base/mail/mailer.ts'
import { renderMail } from '../../../../src/base/mail/message.ts'
import { invitationMail } from '../../../../src/identity/people/mail-texts.ts'
import { certificateFor } from '../../../setup/certificate.ts'
import { startMailServer } from '../../../setup/mail-server.ts'
import { waitUntil } from '../../../setup/server-process.ts'

const FROM = { name: 'App Marketplace', address: 'marketplace@example.com' }
const MAIL = { subject: 'A subject', paragraphs: ['Hello,'] }
/** Long enough for a server on this machine to say something, and shorter than its silence. */
const SHORT_MS = 300

let close: (() => unknown) | undefined
afterEach(() => close?.())

/** A mail server that does as it likes with each connection. */
async function mailServer(serve: (socket: Socket) => void) {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  close = () => {
    for (const socket of open) socket.destroy()
    server.close()
  }
  const { port } = server.address() as AddressInfo
  return { open, smtp: { host: '127.0.0.1', port, secure: false, auth: undefined } }
}

/** Sends a text a byte at a time, again and again, and so never lets the connection idle. */
function drip(socket: Socket, text: string): void {
  let at = 0
  const timer = setInterval(() => {
    socket.write(text.charAt(at % text.length))
    at += 1
  }, 20)
  socket.on('close', () => clearInterval(timer))
}

describe('a mail server that', () => {
  test.each([
    ['says nothing', () => {}],
    ['greets a byte at a time', (socket: Socket) => drip(socket, '220-wait')],
    [
      'answers for ever',
      (socket: Socket) => {
        socket.write('220 here\r\n')
        socket.once('data', () => drip(socket, '250-more\r\n'))
      },
    ],
  ])('%s is given up, to be tried again later, and the connection ends', async (_name, serve) => {
    const { open, smtp } = await mailServer(serve)
    const sent = createMailer(smtp, FROM, { mailMs: SHORT_MS }).send('ada@example.com', MAIL)
    await expect(sent).rejects.toMatchObject({
      name: 'MailError',
      message: 'ETIMEDOUT',
      isFinal: false,
    })
    await waitUntil(async () => open.size === 0)
  })
})

test('a mail server that looks into a mail for long is waited for: the mail is not sent twice', async () => {
  const greetingMs = 1_000
  const answers: Record<string, string> = { DATA: '354 go on', QUIT: '221 bye' }
  const { smtp } = await mailServer((socket) => {
    socket.write('220 here\r\n')
    socket.setEncoding('latin1').on('data', (sent: string) => {
      if (!sent.endsWith('\r\n.\r\n')) {
        socket.write(`${answers[sent.trim()] ?? '250 fine'}\r\n`)
      } else {
        setTimeout(() => socket.write('250 taken\r\n'), 2 * greetingMs)
      }
    })
  })
  await createMailer(smtp, FROM, { greetingMs }).send('ada@example.com', MAIL)
})

test('a mail is given up before the queue gives it to another server', () => {
  expect(MAIL_MS).toBeLessThan(MAIL_JOB.lastsSeconds * 1000)
})

describe('a mail server that refuses', () => {
  test.each([
    ['the sender', 550, 'MAIL FROM', '5.1.1 unknown', 'EENVELOPE 550', false],
    ['an unknown recipient', 550, 'RCPT TO', '5.1.1 unknown', 'EENVELOPE 550', true],
    ['a domain without mail', 556, 'RCPT TO', '5.1.10 null MX', 'EENVELOPE 556', true],
    ['a full mailbox', 552, 'RCPT TO', '5.2.2 full', 'EENVELOPE 552', true],
    ['the sender at the recipient', 550, 'RCPT TO', '5.2.252 denied', 'EENVELOPE 550', false],
    ['an ambiguous recipient', 550, 'RCPT TO', '5.1.4 ambiguous', 'EENVELOPE 550', true],
    ['a recipient beyond ASCII', 553, 'RCPT TO', '5.6.7 no SMTPUTF8', 'EENVELOPE 553', true],
    ['a recipient beyond ASCII at once', 550, 'MAIL FROM', '5.6.7 no', 'EENVELOPE 550', true],
    ['a blocked server', 554, 'RCPT TO', '5.7.1 blocked', 'EENVELOPE 554', false],
    ['the recipient without a reason', 550, 'RCPT TO', 'no', 'EENVELOPE 550', false],
    ['the recipient for now', 450, 'RCPT TO', '4.1.1 later', 'EENVELOPE 450', false],
    ['a long text', 552, 'DATA', '5.3.4 too long', 'EMESSAGE 552', true],
    ['the form of the text', 554, 'DATA', '5.6.0 form', 'EMESSAGE 554', true],
    ['the text by a policy', 554, 'DATA', '5.7.1 spam', 'EMESSAGE 554', false],
    ['the text for now', 451, 'DATA', '4.6.0 later', 'EMESSAGE 451', false],
  ] as const)('%s is asked again, unless it never takes the mail', async (...given) => {
    const [, code, step, text, message, isFinal] = given
    const mails = await startMailServer()
    close = mails.close
    mails.refuseWith(code, step, text)
    const { smtpUrl, mailFrom } = mails.config
    if (smtpUrl === undefined || mailFrom === undefined) throw new Error('no mail server')
    const sent = createMailer(smtpUrl, mailFrom).send('ada@example.com', MAIL)
    await expect(sent).rejects.toMatchObject({ name: 'MailError', message, isFinal })
  })
})

describe('the log says of a mail server that', () => {
  const reasonOf = (smtp: Partial<SmtpServer>) =>
    createMailer({ host: '127.0.0.1', port: 1, secure: false, auth: undefined, ...smtp }, FROM)
      .send('ada@example.com', MAIL)
      .then(
        () => 'sent',
        (error: MailError) => error.message,
      )

  test('nothing listens there', async () => {
    expect(await reasonOf({})).toBe('ESOCKET ECONNREFUSED')
  })

  test.each([
    ['from the first byte', true],
    ['after STARTTLS', false],
  ])('its certificate is not one to trust: TLS %s', async (_what, secure) => {
    const server = new SMTPServer({ secure, ...certificateFor(['mail.example']) })
    server.on('error', () => {})
    close = () => server.close()
    const listening = server.listen(0, '127.0.0.1')
    await once(listening, 'listening')
    const { port } = listening.address() as AddressInfo
    expect(await reasonOf({ port, secure })).toBe('ESOCKET DEPTH_ZERO_SELF_SIGNED_CERT')
  })

  test('it does not speak TLS', async () => {
    const { smtp } = await mailServer((socket) => socket.write('220 here\r\n'))
    expect(await reasonOf({ ...smtp, secure: true })).toBe('ESOCKET ERR_SSL_WRONG_VERSION_NUMBER')
  })
})

test('a name in a mail turns round no text after it, and ends no line', () => {
  const name = 'Evil\u202e\u2066\u200f Corp'
  const { text, html } = renderMail({ ...MAIL, paragraphs: [`you are invited to ${name}.`] })
  for (const body of [text, html]) {
    expect(body).toContain('you are invited to Evil Corp.')
    expect(body).not.toMatch(/\p{Bidi_Control}/u)
  }
})

test('an invitation of the role support reads as one sentence', () => {
  const place = { publicUrl: 'https://apps.example', address: 'https://apps.example/invitation' }
  const invited = {
    ...{ inviter: undefined, parties: [], developer: undefined, role: null },
    ...{ operator: false, support: true },
  }
  expect(invitationMail(place, invited).paragraphs).toContain(
    'The operator of this marketplace invites you to the operator console (to look only), on App ' +
      'Marketplace at https://apps.example.',
  )
})
