import type { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { PartySuspension, Suspension } from '../../identity/accounts/operator-records.ts'
import { SuspensionRequest } from '../../identity/accounts/operator-requests.ts'
import { operatorActor } from '../../identity/guards/actor.ts'
import { SUSPENDABLE } from './suspendable-kinds-service.ts'

/**
 * Suspend and resume of everything that an operator can stop: apps, developers, parties, users and
 * installations.
 *
 * Only users with the role operator may call these routes: `src/app.ts` registers them for
 * operators, and the role support only reads (`declareNeed` and `authorize` in
 * `src/identity/guards/audience.ts`). To suspend, an operator who has a second factor must have given a
 * code of it in the last ten minutes (`recentFactor`, `src/identity/guards/require-factor.ts`); to
 * resume takes no new code.
 *
 * The pages ask for the same: `src/web/operator/suspension/suspension-page-routes.ts`, registered
 * in `src/register-pages.ts` behind `admitOperators` (`src/web/requests/visitor.ts`) and
 * `askForRecentFactor` (`src/web/requests/recent-factor.ts`).
 */
export async function operatorSuspensionRoutes(app: App) {
  for (const { kind, collection, params, effect, remark, refusals, ...service } of SUSPENDABLE) {
    const answer: z.ZodType<Suspension> = kind === 'Party' ? PartySuspension : Suspension
    const noun = kind.toLowerCase()
    const an = /^[aeio]/.test(noun) ? 'an' : 'a'
    app.post(
      `/v1/Operator/${collection}/:id/Suspend`,
      {
        config: { recentFactor: true },
        schema: {
          operationId: `suspend${kind}AsOperator`,
          tags: ['Operator'],
          summary: `Suspend ${an} ${noun}`,
          description:
            `${effect} All this holds from the next request on.${remark} Repeating the call ` +
            'changes nothing, but another reason replaces the first.',
          params,
          body: SuspensionRequest,
          response: { 200: answer },
          problems: refusals.suspend,
        },
      },
      (request) =>
        service.suspend(app.deps, request.params.id, request.body, operatorActor(request)),
    )
    app.post(
      `/v1/Operator/${collection}/:id/Resume`,
      {
        schema: {
          operationId: `resume${kind}AsOperator`,
          tags: ['Operator'],
          summary: `Resume ${an} ${noun}`,
          description:
            'Everything works again from the next request on, including tokens that have not expired. Repeating the call changes nothing.',
          params,
          response: { 200: answer },
          problems: refusals.resume,
        },
      },
      (request) => service.resume(app.deps, request.params.id, operatorActor(request)),
    )
  }
}
