import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { SUSPENDABLE } from '../../../marketplace/suspension/suspendable-kinds-service.ts'
import { readAttempt, redirectBack, redirectDone, refuse } from '../../requests/answers.ts'
import { visitingOperator, visitorShell } from '../../requests/visitor.ts'
import { UNTOUCHED } from '../../shared/forms/form-problems.ts'
import { Fields, multilineText } from '../../shared/forms/settings-form.ts'
import { pathTo } from '../addresses.ts'
import { inputRefusal } from '../forms/fields.ts'
import { OPERATOR_NOTICES } from '../operator-notices.ts'
import { suspendRecordPage } from './suspend-page.ts'
import { readName, readUninstalled } from './suspension-name-service.ts'

/**
 * The pages on which operators suspend and resume apps, installations, developers, parties and
 * users. `src/register-pages.ts` registers them behind `admitOperators` (support may look at a form
 * and send none; `src/web/requests/visitor.ts`) and `askForRecentFactor` (who has a second
 * factor gives a recent code to suspend; `src/web/requests/recent-factor.ts`).
 */
export async function operatorSuspensionPages(app: App) {
  const { deps } = app

  for (const { kind, collection, params, effect, ...service } of SUSPENDABLE) {
    const send = async (request: FastifyRequest, reply: FastifyReply, id: string) =>
      sendPage(
        reply,
        suspendRecordPage({
          ...visitorShell(request, reply),
          tab: collection,
          noun: kind.toLowerCase(),
          name: await readName(deps, collection, id),
          path: pathTo(collection, id),
          effect,
          attempt: readAttempt(request, reply) ?? UNTOUCHED,
        }),
      )

    app.get(
      `/Operator/${collection}/:id/Suspend`,
      { schema: { hide: true, params } },
      (request, reply) => send(request, reply, request.params.id),
    )

    app.post(
      `/Operator/${collection}/:id/Suspend`,
      { config: { recentFactor: true }, schema: { hide: true, params, body: Fields } },
      async (request, reply) => {
        const { id } = request.params
        try {
          const reason = multilineText(request.body, 'reason')
          await service.suspend(deps, id, { reason }, visitingOperator(request))
        } catch (error) {
          return refuse(request, reply, inputRefusal(error))
        }
        const text = OPERATOR_NOTICES.suspended(await readName(deps, collection, id))
        return redirectDone(request, reply, pathTo(collection, id), text)
      },
    )

    // A sign-in that interrupted the form leads back to this address.
    app.get(
      `/Operator/${collection}/:id/Resume`,
      { schema: { hide: true, params } },
      async (request, reply) => redirectBack(request, reply, pathTo(collection, request.params.id)),
    )

    app.post(
      `/Operator/${collection}/:id/Resume`,
      { schema: { hide: true, params } },
      async (request, reply) => {
        const { id } = request.params
        await service.resume(deps, id, visitingOperator(request))
        const uninstalled = await readUninstalled(deps, collection, id)
        const text = uninstalled
          ? OPERATOR_NOTICES.mayInstallAgain(uninstalled)
          : OPERATOR_NOTICES.resumed(await readName(deps, collection, id))
        return redirectDone(request, reply, pathTo(collection, id), text)
      },
    )
  }
}
