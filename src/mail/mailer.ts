import type { Sender, SmtpServer } from './mail-variables.ts'
import { type MailText, renderMail } from './message.ts'

/** No step of a conversation with a mail server takes longer. */
const STEP_MS = 5_000
/** One mail takes no longer. */
const MAIL_MS = 10_000
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
 * @param mailMs after which a mail is given up, also while the server still says something
 */
export function createMailer(
  { host, port, secure, auth }: SmtpServer,
  from: Sender,
  mailMs = MAIL_MS,
): Mailer {
  return {
    async send(to, mail) {
      const { createTransport } = await import('nodemailer')
      // One connection for each mail, which ends with the signal of its mail.
      const transport = createTransport({
        ...{ host, port, secure },
        ...(auth === undefined ? {} : { auth, requireTLS: !LOOPBACK.has(host) }),
        connectionTimeout: STEP_MS,
        greetingTimeout: STEP_MS,
        socketTimeout: STEP_MS,
        dnsTimeout: STEP_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const message = {
        from,
        to: { name: '', address: to },
        subject: mail.subject,
        ...renderMail(mail),
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(mailMs),
      }
      try {
        await transport.sendMail(message)
      } catch (error) {
        throw mailError(error)
      } finally {
        transport.close()
      }
    },
  }
}

/**
 * Mail servers quote addresses in their answers: only codes are passed on. A refusal is final when it
 * is of the recipient or the text. The sender and the sign-in are the operator's, who can mend them.
 */
function mailError(error: unknown): MailError {
  const { code: given, command, responseCode } = error as SmtpFailure
  // The signal ends a mail whose time is over; the log names that as it names other time-outs.
  const code = given === 'EABORT' ? 'ETIMEDOUT' : (given ?? 'failed')
  const isOfMail = command === 'RCPT TO' || command === 'DATA'
  const reason = responseCode === undefined ? code : `${code} ${responseCode}`
  return new MailError(reason, isOfMail && responseCode !== undefined && responseCode >= 500)
}

/** What nodemailer tells of a failure; the command is the step that failed. */
type SmtpFailure = { code?: string; command?: string; responseCode?: number }
