import type { FastifyReply, FastifyRequest } from 'fastify'
import { EmailAddress, shownEmail } from '../../base/values/email.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { limitHeaders } from '../../http/rate-limits/rate-limit.ts'
import { sendPage } from '../../http/send-page.ts'
import { passwordsOff } from '../../identity/auth/passwords-off.ts'
import { readSession } from '../../identity/auth/user-session-service.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import {
  acceptInvitation,
  readInvitation,
} from '../../identity/people/accept-invitation-service.ts'
import { sendsMail } from '../../identity/people/deliver-link-service.ts'
import { confirmEmailChange, readEmailChange } from '../../identity/people/email-changes-service.ts'
import type { InvitationShown } from '../../identity/people/invitation.ts'
import { invitedTo, inviterText } from '../../identity/people/mail-texts.ts'
import {
  completePasswordReset,
  readPasswordReset,
  requestPasswordReset,
} from '../../identity/people/password-resets-service.ts'
import { redirectDone } from '../requests/answers.ts'
import { takeNotice } from '../requests/notices.ts'
import { csrfToken, sessionCookie } from '../requests/pages.ts'
import { finishSignIn } from '../requests/signing-in.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { newPasswordProblems } from '../shared/forms/new-password.ts'
import { newPasswordRefusal } from '../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import {
  confirmEmailPage,
  emailConfirmedPage,
  forgotPage,
  invitationPage,
  linkDonePage,
  resetPasswordPage,
  signInToAcceptPage,
} from './link-pages.ts'

const ASKED =
  'If this is the address of a user, a mail with a link is on its way. ' +
  `The link works for ${lifetimeText('password_reset')}.`

const ACCEPTED = 'You have accepted the invitation.'

/** Where somebody goes on who has accepted an invitation: to the console that it is for alone. */
function homeOf({ parties, developer, operator, support }: InvitationShown): string {
  if (parties.length > 0) return '/Account'
  if (operator || support) return '/Operator'
  return developer === undefined ? '/Account' : '/Developer'
}

/**
 * The pages of links that were mailed or handed over. Opening a page changes nothing, so a mail
 * scanner that follows links does no harm; the form of the page uses the link.
 */
export async function linkPageRoutes(app: App) {
  const { deps } = app
  const { passwordLogin: hasPassword } = deps.config
  const get = { schema: { hide: true, querystring: Fields } }
  const post = {
    bodyLimit: SIGN_IN_LIMIT_BYTES,
    config: { actsOnce: true },
    schema: { hide: true, body: Fields },
  }

  app.get('/invitation', get, async (request, reply) =>
    (await sendDonePage(request, reply, request.query))
      ? reply
      : sendInvitation(request, reply, request.query, []),
  )

  app.post('/invitation', post, async (request, reply) => {
    const token = request.body.get('token') ?? ''
    const again = (status: number, problems: readonly FormProblem[]) =>
      sendInvitation(request, reply.code(status), request.body, problems)
    const invitation = await readInvitation(deps, token)
    const { email, needs } = invitation
    const visitor = await visitorOf(request)
    if (needs === 'sign-in' && visitor?.email !== email) return again(403, [])
    const asksForPassword = hasPassword && needs === 'password'
    const problems = asksForPassword ? newPasswordProblems(request.body) : []
    if (problems.length > 0) return again(422, problems)
    const password = asksForPassword ? { password: request.body.get('newPassword') ?? '' } : {}
    const from = { address: clientAddress(request), userId: visitor?.id }
    const accepted = await acceptInvitation(deps, { token, ...password }, from).then(
      (user) => ({ user }),
      (error) => ({ problems: newPasswordRefusal(error).problems }),
    )
    if ('problems' in accepted) return again(422, accepted.problems)
    const { user } = accepted
    if (needs !== 'password' && visitor?.email === email) {
      return redirectDone(request, reply, homeOf(invitation), ACCEPTED)
    }
    // A visitor who has just chosen the password need not type it again.
    const signsIn = asksForPassword && visitor === undefined
    if (signsIn && (await finishSignIn(request, reply, { ...user, id: user.userId }, '/'))) {
      return reply
    }
    return done(request, reply, `${ACCEPTED} Sign in.`)
  })

  app.get('/reset-password', get, async (request, reply) =>
    (await sendDonePage(request, reply, request.query))
      ? reply
      : sendReset(request, reply, request.query, []),
  )

  app.post('/reset-password', post, async (request, reply) => {
    const token = request.body.get('token') ?? ''
    const problems = newPasswordProblems(request.body)
    if (problems.length > 0) {
      return sendReset(request, reply.code(422), request.body, problems)
    }
    const password = request.body.get('newPassword') ?? ''
    try {
      await completePasswordReset(deps, { token, password }, clientAddress(request))
    } catch (error) {
      const { problems } = newPasswordRefusal(error)
      return sendReset(request, reply.code(422), request.body, problems)
    }
    return done(request, reply, 'Your password was changed. Sign in with it.')
  })

  app.get('/confirm-email', get, async (request, reply) => {
    const shell = shellOf(request, reply)
    const token = request.query.get('token') ?? ''
    const message = token === '' && takeNotice(request, reply)?.text
    if (message) return sendPage(reply, emailConfirmedPage({ ...shell, message }))
    // The page that said what was confirmed, opened again.
    if (token === '') return reply.redirect('/Account', 303)
    const { to } = await readEmailChange(deps, token)
    const input = { ...shell, to, token, problems: [] }
    return sendPage(reply, confirmEmailPage(input), { holdsLink: true })
  })

  app.post('/confirm-email', post, async (request, reply) => {
    const token = request.body.get('token') ?? ''
    const { email, changed } = await confirmEmailChange(deps, { token }, clientAddress(request))
    const text = changed
      ? `Sign in with ${shownEmail(email)} from now on.`
      : 'Now open the link that was mailed to the other address.'
    return redirectDone(request, reply, '/confirm-email', text)
  })

  app.get('/forgot', { schema: { hide: true } }, (request, reply) =>
    sendForgot(request, reply, { message: takeNotice(request, reply)?.text }),
  )

  app.post('/forgot', post, async (request, reply) => {
    const typed = request.body.get('email') ?? ''
    const email = EmailAddress.safeParse(typed)
    const again = (text: string) =>
      sendForgot(request, reply, {
        email: typed,
        problems: [{ field: 'email', text }],
      })
    if (!email.success) {
      reply.code(422)
      return again('Enter the email that you sign in with.')
    }
    try {
      await requestPasswordReset(deps, email.data, clientAddress(request))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'too_many_requests')) throw error
      reply.code(429).headers(limitHeaders(error))
      return again(error.message)
    }
    return redirectDone(request, reply, '/forgot', ASKED)
  })

  async function sendInvitation(
    request: FastifyRequest,
    reply: FastifyReply,
    fields: FormFields,
    problems: readonly FormProblem[],
  ) {
    const token = fields.get('token') ?? ''
    const shown = await readInvitation(deps, token)
    const words = { inviter: inviterText(shown.inviter), invitedTo: invitedTo(shown) }
    const shell = { ...shellOf(request, reply), ...shown, ...words, token }
    const visitor = await visitorOf(request)
    const page =
      shown.needs === 'sign-in' && visitor?.email !== shown.email
        ? signInToAcceptPage({ ...shell, visitor })
        : invitationPage({ ...shell, problems, hasPassword })
    return sendPage(reply, page, { holdsLink: true })
  }

  async function visitorOf(request: FastifyRequest) {
    return (await readSession(deps, sessionCookie(request)))?.user
  }

  async function sendReset(
    request: FastifyRequest,
    reply: FastifyReply,
    fields: FormFields,
    problems: readonly FormProblem[],
  ) {
    const token = fields.get('token') ?? ''
    const { email } = await readPasswordReset(deps, token)
    const input = { ...shellOf(request, reply), email, token, problems }
    return sendPage(reply, resetPasswordPage(input), { holdsLink: true })
  }

  function sendForgot(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: { email?: string; problems?: readonly FormProblem[]; message?: string | undefined },
  ) {
    if (!hasPassword) throw passwordsOff()
    const { email = '', problems = [], message } = shown
    const shell = shellOf(request, reply)
    const input = { ...shell, sendsMail: sendsMail(deps), email, problems, message }
    return sendPage(reply, forgotPage(input))
  }
}

function shellOf(request: FastifyRequest, reply: FastifyReply) {
  return { csrfToken: csrfToken(request, reply), assetVersion: request.server.assetVersion }
}

/**
 * Nobody is signed in by a link alone: the sign-in asks for all that it asks for. A visitor who is
 * signed in already reads first what was done.
 */
async function done(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  const isSignedIn = (await readSession(request.server.deps, sessionCookie(request))) !== undefined
  const path = isSignedIn ? (request.url.split('?', 1)[0] ?? '/') : '/login'
  return redirectDone(request, reply, path, text)
}

/**
 * Says what was done by a link to somebody who is signed in, this once; the same address opened
 * again leads to the account. False when the address has a link, or nobody is signed in.
 */
async function sendDonePage(
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
): Promise<boolean> {
  const message = takeNotice(request, reply)?.text
  if (!message && fields.get('token')) return false
  const session = await readSession(request.server.deps, sessionCookie(request))
  if (!session) return false
  const { email } = session.user
  if (message) await sendPage(reply, linkDonePage({ ...shellOf(request, reply), message, email }))
  else reply.redirect('/Account', 303)
  return true
}
