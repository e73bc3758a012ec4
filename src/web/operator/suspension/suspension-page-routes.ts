import type { FastifyRequest } from 'fastify'
import { parseInput } from '../../../base/values/field-errors.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { SuspensionRequest } from '../../../identity/accounts/operator-requests.ts'
import { SUSPENDABLE } from '../../../marketplace/suspension/suspendable-kinds-service.ts'
import type { FormSpec } from '../../kit/fields.ts'
import { OPERATOR_TABS, tabLabel } from '../../kit/frame.ts'
import { bulkPage } from '../../requests/bulk-page.ts'
import { formPage } from '../../requests/form-page.ts'
import { buttonForm } from '../../requests/form-work.ts'
import { visitingOperator } from '../../requests/visitor.ts'
import { multilineText } from '../../shared/forms/settings-form.ts'
import { pathTo } from '../addresses.ts'
import { INPUT_REFUSALS } from '../forms/fields.ts'
import { OPERATOR_NOTICES } from '../operator-notices.ts'
import { findSuspendable, readName, readUninstalled } from './suspension-name-service.ts'

/** Who reads the reason of a suspension, by the tab of what is suspended. */
const READERS = {
  Developers: 'Shown to its people and to accounts that have its apps.',
  Apps: 'Shown to its developer and to accounts that have it.',
  Parties: 'Shown to its members.',
  Users:
    'Kept in the audit trail, and not shown to the suspended user. After you resume the user, the download of their own data contains it.',
  Installations: 'Shown to its account and to the developer of the app.',
} as const

/**
 * The pages on which operators suspend and resume apps, installations, developers, accounts and
 * users. `src/register-pages.ts` registers them behind `admitOperators` (support may look at a form
 * and send none; `src/web/requests/visitor.ts`) and `askForRecentFactor` (who has a second
 * factor gives a recent code to suspend; `src/web/requests/recent-factor.ts`).
 */
export async function operatorSuspensionPages(app: App) {
  const { deps } = app

  for (const { kind, collection, params, effect, ...service } of SUSPENDABLE) {
    const noun = kind === 'Party' ? 'account' : kind.toLowerCase()
    const nouns = [noun, `${noun}s`] as const
    const place = { console: 'operator', tab: collection, asks: true } as const
    const fields: FormSpec = {
      reason: {
        label: 'Reason',
        hint: `${READERS[collection]} At most 500 characters.`,
        kind: 'lines',
      },
    }

    formPage(app, {
      path: `/Operator/${collection}/:id/Suspend`,
      params,
      place,
      fields,
      config: { recentFactor: true },
      refused: INPUT_REFUSALS,
      async page(_request, _typed, _reply, { id }) {
        const name = await readName(deps, collection, id)
        return {
          title: `Suspend ${name}`,
          back: { href: pathTo(collection, id), label: name },
          consequences: [
            effect,
            `This takes effect immediately and lasts until you resume the ${noun}.`,
          ],
          button: `Suspend the ${noun}`,
          kind: 'danger',
        }
      },
      async submit(request, typed, { id }) {
        const reason = multilineText(typed, 'reason')
        await service.suspend(deps, id, { reason }, visitingOperator(request))
        const text = OPERATOR_NOTICES.suspended(await readName(deps, collection, id))
        return { path: pathTo(collection, id), text }
      },
    })

    buttonForm(app, {
      path: `/Operator/${collection}/:id/Resume`,
      params,
      page: ({ id }) => pathTo(collection, id),
      async submit(request, _typed, { id }) {
        await service.resume(deps, id, visitingOperator(request))
        const uninstalled = await readUninstalled(deps, collection, id)
        const text = uninstalled
          ? OPERATOR_NOTICES.mayInstallAgain(uninstalled)
          : OPERATOR_NOTICES.resumed(await readName(deps, collection, id))
        return { path: pathTo(collection, id), text }
      },
    })

    const ofSeveral = {
      place,
      nouns,
      list: () => ({ href: OPERATOR_TABS[collection], label: tabLabel(collection) }),
      id: params.shape.id,
      find: (_request: FastifyRequest, ids: readonly string[]) =>
        findSuspendable(deps, collection, ids),
    }
    bulkPage(app, {
      ...ofSeveral,
      path: `${OPERATOR_TABS[collection]}/Suspend`,
      fields,
      config: { recentFactor: true },
      verb: 'Suspend',
      done: 'suspended, effective immediately',
      kind: 'danger',
      consequences: [
        effect,
        `This is done to each ${noun}, and lasts until you resume it.`,
        'What is suspended already gets the new reason.',
      ],
      begin(request, typed) {
        const actor = visitingOperator(request)
        const input = parseInput(SuspensionRequest, { reason: multilineText(typed, 'reason') })
        return (id) => service.suspend(deps, id, input, actor)
      },
    })
    bulkPage(app, {
      ...ofSeveral,
      path: `${OPERATOR_TABS[collection]}/Resume`,
      verb: 'Resume',
      done: 'resumed',
      consequences: ['The suspension of each ends. Tokens that have not expired work again.'],
      begin(request) {
        const actor = visitingOperator(request)
        return async (id, { suspended }) => {
          if (!suspended) throw new AppError('conflict', { detail: 'Not suspended.' })
          return service.resume(deps, id, actor)
        }
      },
    })
  }
}
