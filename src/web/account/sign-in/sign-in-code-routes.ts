import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { sendPage } from '../../../http/send-page.ts'
import { checkFactor } from '../../../identity/auth/second-factor/check-factor-service.ts'
import { hasSecondFactor } from '../../../identity/auth/second-factor/factor-policy-service.ts'
import { sentFormIdOf } from '../../requests/form-origin.ts'
import { leaveNotice, refuseSignIn, takeNotice } from '../../requests/notices.ts'
import { csrfToken } from '../../requests/pages.ts'
import { postponed } from '../../requests/postponed-sign-in.ts'
import {
  CODE_PATH,
  finishSignIn,
  halfSignIn,
  halfSignInCookie,
  SIGN_IN_CHANGED,
} from '../../requests/signing-in.ts'
import { wayToApp } from '../../requests/way-to-app.ts'
import { codePage } from '../../shared/sign-in/code-page.ts'
import { safeNextPath } from '../../shared/sign-in/next-path.ts'

const WRONG_CODE =
  'Wrong code. Enter the one that your app shows now, or a recovery code that was not used yet.'

const TOO_LATE = 'Your sign-in took too long. Sign in again to continue.'

const CodeQuery = z.looseObject({ next: z.unknown().optional() })
const CodeForm = z.object({ code: z.string(), next: z.unknown().optional() })

/** The second half of a sign-in: a code of the second factor. */
export async function signInCodeRoutes(app: App) {
  const { deps } = app
  const schema = { hide: true, querystring: CodeQuery }
  app.get(CODE_PATH, { schema }, async (request, reply) => {
    const next = safeNextPath(request.query.next)
    const notice = takeNotice(request, reply)
    const half = halfSignIn(request)
    // An operator may have taken the factor off meanwhile.
    const isAsked = half !== undefined && (await hasSecondFactor(deps, half.userId))
    if (!isAsked) return reply.redirect(loginPath(next), 303)
    const { assetVersion } = app
    const page = codePage({ next, notice, csrfToken: csrfToken(request, reply), assetVersion })
    const { formTargets } = await wayToApp(deps, next)
    return sendPage(reply, page, { formTargets })
  })

  const post = {
    bodyLimit: SIGN_IN_LIMIT_BYTES,
    config: { actsOnce: true, pathPastForm: pathPastCode },
    schema: { hide: true, body: CodeForm },
  }
  // The same code opens the same session only for who has the same half of the sign-in.
  const preValidation = async (request: FastifyRequest) => {
    request.page.form.id = sentFormIdOf(
      halfSignInCookie(request) ?? '',
      CODE_PATH,
      request.page.form.id,
    )
  }
  app.post(CODE_PATH, { ...post, preValidation }, async (request, reply) => {
    const { code } = request.body
    const next = safeNextPath(request.body.next)
    const beginAgain = (text: string) =>
      leaveNotice(request, reply, '/login', { text }).redirect(loginPath(next), 303)
    const half = halfSignIn(request)
    if (half === undefined) return beginAgain(TOO_LATE)
    const refuse = (refusal: { text: string; error?: AppError }) =>
      refuseSignIn(request, reply, { next, name: '', ...refusal })
    const { userId: id, tokenGeneration } = half
    try {
      const actor = { kind: 'user', id, address: clientAddress(request) } as const
      if (!(await checkFactor(deps, id, code, actor))) {
        return (await hasSecondFactor(deps, id))
          ? refuse({ text: WRONG_CODE })
          : beginAgain(SIGN_IN_CHANGED)
      }
    } catch (error) {
      const refusal = postponed(error, 'codes')
      if (refusal === undefined) throw error
      return refuse(refusal)
    }
    const factorAt = deps.now()
    const isDone = await finishSignIn(request, reply, { id, tokenGeneration }, next, { factorAt })
    return isDone ? reply : beginAgain(SIGN_IN_CHANGED)
  })
}

/** A sign-in that is done has taken its half away; the sign-in page leads on who is signed in. */
function pathPastCode(request: FastifyRequest): string | undefined {
  if (halfSignInCookie(request) !== undefined) return undefined
  const { next } = request.body as z.infer<typeof CodeForm>
  return loginPath(safeNextPath(next))
}

function loginPath(next: string): string {
  return `/login?next=${encodeURIComponent(next)}`
}
