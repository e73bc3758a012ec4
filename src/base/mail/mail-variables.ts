import { z } from 'zod'
import { EmailAddress } from '../values/email.ts'
import { displayProblem } from '../values/text.ts'

/** A mail server, and how to sign in there. */
export type SmtpServer = {
  host: string
  port: number
  /** TLS from the first byte; without it the connection is upgraded where the server can. */
  secure: boolean
  auth: { user: string; pass: string } | undefined
}

/** SMTP_URL: `smtp://host:port` or `smtps://user:password@host:port`. */
const SmtpUrlVariable = z.string().transform((text, ctx): SmtpServer => {
  const server = smtpServerOf(text)
  if (server !== undefined) return server
  ctx.addIssue({
    code: 'custom',
    message: 'must be smtp://host:port or smtps://host:port, with user:password@ if needed',
  })
  return z.NEVER
})

function smtpServerOf(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const { protocol, hostname, port, pathname, search, hash } = url
  const secure = protocol === 'smtps:'
  if (!secure && protocol !== 'smtp:') return undefined
  if (hostname === '' || port === '0' || !/^\/?$/.test(pathname) || search + hash !== '') {
    return undefined
  }
  try {
    const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      auth: user === '' ? undefined : { user, pass },
    }
  } catch {
    return undefined
  }
}

/** The sender of mails. */
export type Sender = { name: string; address: string }

/** MAIL_FROM: `address`, or `name <address>`. */
const MailFromVariable = z.string().transform((text, ctx): Sender => {
  const [, name = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? []
  const address = EmailAddress.safeParse(bracketed ?? text)
  if (address.success && displayProblem(name, 'line') === null) {
    return { name: name.trim().replaceAll('"', ''), address: address.data }
  }
  ctx.addIssue({ code: 'custom', message: 'must be an address, or: Name <address>' })
  return z.NEVER
})

/** The variables about mail. */
export const MAIL_VARIABLES = {
  SMTP_URL: {
    schema: SmtpUrlVariable,
    default: undefined,
    secret: true,
    meaning:
      'Mail server: `smtp://host:port` or `smtps://user:password@host:port`. Unset: nothing is ' +
      'mailed; whoever invites is shown the link to hand over.',
  },
  MAIL_FROM: {
    schema: MailFromVariable,
    default: undefined,
    meaning: 'Sender of mails: an address, or `Name <address>`. Set together with `SMTP_URL`.',
  },
} as const

/** Problems of the variables together, one line each. */
export function mailProblems({
  smtpUrl,
  mailFrom,
}: {
  smtpUrl?: SmtpServer | undefined
  mailFrom?: Sender | undefined
}): string[] {
  if ((smtpUrl === undefined) === (mailFrom === undefined)) return []
  return smtpUrl
    ? ['MAIL_FROM: is required with SMTP_URL']
    : ['SMTP_URL: is required with MAIL_FROM']
}
