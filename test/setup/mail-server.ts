import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'
import type { Config } from '../../src/config.ts'
import { loadConfig } from '../../src/config.ts'
import type { SharedMarketplace } from './app.ts'

/** A mail as the server got it: whom it is for, and its text. */
type ReceivedMail = { to: string; raw: string; link: string | undefined }

/** A step of handing over a mail. */
type Step = 'MAIL FROM' | 'RCPT TO' | 'DATA'

/** A real mail server that keeps what it gets. */
export type MailServer = {
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>
  received: readonly ReceivedMail[]
  /**
   * Refuses mails with this code and text, at the recipient or another step, until it is called
   * without a code. The text can begin with an enhanced code.
   */
  refuseWith(code?: number, step?: Step, text?: string): void
  /** Does the work, and resolves with the next mail to this address. */
  next(to: string, work: () => unknown): Promise<ReceivedMail>
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let waiting: (() => void)[] = []
  let refusal: { code: number; step: Step; text: string } | undefined
  const refusalAt = (step: Step) =>
    refusal?.step === step
      ? Object.assign(new Error(refusal.text), { responseCode: refusal.code })
      : undefined
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom: (_address, _session, done) => done(refusalAt('MAIL FROM')),
    onRcptTo: (_address, _session, done) => done(refusalAt('RCPT TO')),
    onData(stream, session, done) {
      text(stream).then((raw) => {
        const refused = refusalAt('DATA')
        if (refused !== undefined) return done(refused)
        const to = session.envelope.rcptTo[0]?.address ?? ''
        received.push({ to, raw, link: linkIn(raw) })
        done()
        const told = waiting
        waiting = []
        for (const tell of told) tell()
      }, done)
    },
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const { smtpUrl, mailFrom } = loadConfig({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'App Marketplace <marketplace@example.com>',
  })
  return {
    config: { smtpUrl, mailFrom },
    received,
    refuseWith(code, step = 'RCPT TO', text = 'not now') {
      refusal = code === undefined ? undefined : { code, step, text }
    },
    async next(to, work) {
      const own = () => received.filter((mail) => mail.to === to)
      const known = own().length
      await work()
      for (;;) {
        const mail = own()[known]
        if (mail !== undefined) return mail
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
      }
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Resolves when all mails that were asked for are sent, and those that are not to be sent dropped. */
export async function mailsDone({ deps }: Pick<SharedMarketplace, 'deps'>): Promise<void> {
  const underWay = async () => {
    const { rowCount } = await deps.pool.query(
      `SELECT FROM pgboss.job
       WHERE name = 'mail' AND state NOT IN ('completed', 'cancelled', 'failed')`,
    )
    return rowCount
  }
  await expect.poll(underWay).toBe(0)
}

/** The link of a mail's plain text, whose lines may be folded (RFC 2045, 6.7). */
function linkIn(raw: string): string | undefined {
  const unfolded = raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
  return /https?:\/\/\S+\?token=[\w-]+/.exec(unfolded)?.[0]
}
