import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { readOwnUser } from '../../identity/accounts/own-user-service.ts'
import { readAttempt } from '../requests/answers.ts'
import { takeForm } from '../requests/form-work.ts'
import { sessionCookie } from '../requests/pages.ts'
import { chosenAccountId, visitorOf, visitorShell } from '../requests/visitor.ts'
import { wayToApp } from '../requests/way-to-app.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import { forAnyAccount } from '../shared/page/account-of-page.ts'
import { safeNextPath } from '../shared/sign-in/next-path.ts'
import { headerAccountPage } from './header-account-page.ts'
import { chooseHeaderAccount } from './header-account-service.ts'

const PATH = '/Account/Choose'

/**
 * The account chosen in the header, which the pages are about, carried from page to page by the
 * session. The account of a redirect is chosen elsewhere: `src/web/redirect/party-chooser-page.ts`.
 */
export async function headerAccountRoutes(app: App) {
  app.get(PATH, { schema: { hide: true, querystring: Fields } }, (request, reply) =>
    sendChoice(request, reply, request.query),
  )

  takeForm(app, {
    path: PATH,
    refused: ['unprocessable'],
    async submit(request, typed) {
      const wanted = typed.get('partyId') ?? '0'
      const session = { cookie: sessionCookie(request) ?? '', userId: visitorOf(request).id }
      await chooseHeaderAccount(app.deps, session, wanted === '' ? null : idOf(wanted))
      return { path: nextOf(typed) }
    },
  })

  async function sendChoice(request: FastifyRequest, reply: FastifyReply, query: FormFields) {
    const { problems = [], typed = query } = readAttempt(request, reply) ?? {}
    const { parties } = await readOwnUser(app.deps, visitorOf(request).id)
    const next = nextOf(typed)
    const { formTargets } = await wayToApp(app.deps, next)
    return sendPage(
      reply,
      headerAccountPage({
        ...shellLeadingTo(request, reply, next),
        parties: parties
          .filter(({ suspended }) => !suspended)
          .map(({ id, name, type }) => ({ partyId: id, partyName: name, partyType: type })),
        chosenId: chosenAccountId(request),
        next,
        back: pathOf(typed),
        problems,
      }),
      { formTargets },
    )
  }
}

/** The id that a form names; 0, which no account has, for what is none. */
function idOf(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

/** Where the choice leads back to: where it was asked for, which is never the choice itself. */
function pathOf(fields: FormFields): string {
  const next = safeNextPath(fields.get('next'))
  return /^\/account\/choose\/?(?:\?|$)/i.test(next) ? '/' : next
}

/** The page to go to, for any account. */
function nextOf(fields: FormFields): string {
  return forAnyAccount(pathOf(fields))
}

/** The switch of the page's own header leads to the page itself. */
function shellLeadingTo(request: FastifyRequest, reply: FastifyReply, next: string) {
  const { user, ...shell } = visitorShell(request, reply)
  const switchPath = `${PATH}?next=${encodeURIComponent(next)}`
  return { ...shell, user: { ...user, account: user.account && { ...user.account, switchPath } } }
}
