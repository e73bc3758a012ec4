import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { userOf } from '../../../identity/guards/audience.ts'
import { fewAtOnce } from '../../../identity/guards/few-at-once.ts'
import { ownPartyFilter } from '../installation.ts'
import { WaitingUpgrade } from './waiting-upgrade.ts'
import { listWaitingUpgrades, UPGRADES_PAGE_MAX } from './waiting-upgrades-service.ts'

const UpgradesQuery = z.strictObject({
  partyId: ownPartyFilter,
  ...PageQuery,
})

/** The later versions that wait for the user's accounts. */
export async function waitingUpgradeRoutes(app: App) {
  app.get(
    '/v1/Account/Upgrades',
    {
      onRequest: fewAtOnce,
      schema: {
        operationId: 'listWaitingUpgrades',
        tags: ['Accounts'],
        summary: 'List the upgrades that wait for your accounts',
        description:
          'Installations of your accounts whose app has a later version, with whether it is ' +
          `breaking and what it comes to cost. At most ${UPGRADES_PAGE_MAX} in a page.`,
        querystring: UpgradesQuery,
        response: { 200: z.array(WaitingUpgrade) },
      },
    },
    (request, reply) => {
      const { userId } = userOf(request)
      const { partyId } = request.query
      return answerPage(request, reply, ['upgrades', userId, partyId ?? null], (page) =>
        listWaitingUpgrades(app.deps, { userId, partyId }, page),
      )
    },
  )
}
