import type { Sender, SmtpServer } from './mail-variables.ts'
import { type MailText, renderMail } from './message.ts'

/** Until a mail server is found, connected, and has greeted. */
const GREETING_MS = 5_000
/**
 * One mail takes no longer. A server that looks into a mail for long has it already: who does not
 * wait for its answer sends the mail twice (RFC 5321, 4.5.3.2.6), and the link of the first one is
 * dead then. Less than the time after which the queue gives the mail to another server.
 */
export const MAIL_MS = 45_000
/** Enhanced codes (RFC 3463) with which a server says that it never takes the mail: of its address, */
const FINAL_FOR_ADDRESS = /^5\.(1\.(1|2|3|4|6|10)|2\.\d+|6\.7)$/
/** and of its text. */
const FINAL_FOR_TEXT = /^5\.(3\.4|6\.\d+)$/
/** This way of mail takes only addresses in ASCII (RFC 6531, 3.5); may be said of either address. */
const ASCII_ADDRESSES_ONLY = '5.6.7'
/** Exchange: the sender may not write to this mailbox. That is of the operator's sender. */
const SENDER_DENIED = '5.2.252'
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1'])

/** Hands mails to a mail server. */
export type Mailer = {
  /** @throws MailError */
  send(to: string, mail: MailText): Promise<void>
}

/** A mail that the mail server did not take. Its message says nothing of the mail. */
export class MailError extends Error {
  /** Whether the server will not take this mail later either. */
  readonly isFinal: boolean

  constructor(reason: string, isFinal: boolean) {
    super(reason)
    this.name = 'MailError'
    this.isFinal = isFinal
  }
}

/**
 * A password goes over an encrypted connection only, unless the mail server is on this machine.
 *
 * @param limits `greetingMs` after which a server that does not greet is given up, `mailMs` after
 *   which a mail is, also while the server still says something
 */
export function createMailer(
  { host, port, secure, auth }: SmtpServer,
  from: Sender,
  { greetingMs = GREETING_MS, mailMs = MAIL_MS } = {},
): Mailer {
  return {
    async send(to, mail) {
      const { createTransport } = await import('nodemailer')
      // One connection for each mail, which ends with the signal of its mail.
      const transport = createTransport({
        host,
        port,
        secure,
        ...(auth === undefined ? {} : { auth, requireTLS: !LOOPBACK.has(host) }),
        connectionTimeout: greetingMs,
        greetingTimeout: greetingMs,
        socketTimeout: mailMs,
        dnsTimeout: greetingMs,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const { text, html } = renderMail(mail)
      const message = {
        from,
        to: { name: '', address: to },
        subject: mail.subject,
        alternatives: [body('text/plain', text), body('text/html', html)],
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(mailMs),
      }
      try {
        await transport.sendMail(message)
      } catch (error) {
        throw mailError(error, from)
      } finally {
        transport.close()
      }
    },
  }
}

/**
 * A body of a mail, as it is where it may be (RFC 5322, 2.1.1). Nodemailer alone would fold each line of
 * more than 76 characters, as those of most links are, and write `=3D` for their `=`.
 */
function body(type: string, content: string) {
  const contentType = `${type}; charset=utf-8`
  if (/[^\t\n\x20-\x7e]|[^\n]{999}/.test(content)) return { contentType, content }
  return {
    raw: `Content-Type: ${contentType}\nContent-Transfer-Encoding: 7bit\n\n${content}`,
  }
}

/**
 * Mail servers quote addresses in their answers: only codes are passed on. A refusal is final when
 * its enhanced code says that the address or the text is wrong. A plain 550 may be of the sender, of
 * a policy or of a list of blocked servers, which operators mend.
 */
function mailError(error: unknown, from: Sender): MailError {
  const { code: given, originalCode, responseCode } = error as SmtpFailure
  // The signal ends a mail whose time is over; the log names that as it names other time-outs.
  const code = given === 'EABORT' ? 'ETIMEDOUT' : (given ?? 'failed')
  // The system or OpenSSL says why there is no connection: nothing listens, or a certificate is wrong.
  const reason = [code, originalCode, responseCode].filter((part) => part !== undefined).join(' ')
  return new MailError(reason, isFinal(error as SmtpFailure, from))
}

function isFinal({ command, response = '' }: SmtpFailure, from: Sender): boolean {
  const [, enhanced = ''] = /^5\d\d[ -](\d\.\d+\.\d+)\b/.exec(response) ?? []
  if (command === 'RCPT TO') return FINAL_FOR_ADDRESS.test(enhanced) && enhanced !== SENDER_DENIED
  // The mail is announced as one with an address beyond ASCII: the sender's own is none.
  if (command === 'MAIL FROM') return enhanced === ASCII_ADDRESSES_ONLY && isAscii(from.address)
  return command === 'DATA' && FINAL_FOR_TEXT.test(enhanced)
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/** What nodemailer tells of a failure; the command is the step that failed. */
type SmtpFailure = {
  code?: string
  originalCode?: string
  command?: string
  response?: string
  responseCode?: number
}
