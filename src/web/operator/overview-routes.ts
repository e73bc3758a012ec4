import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { countAccounts } from '../../identity/accounts/account-names-service.ts'
import { countParties } from '../../identity/accounts/parties-service.ts'
import { hasSecondFactor } from '../../identity/auth/second-factor/factor-policy-service.ts'
import { sendsMail } from '../../identity/people/deliver-link-service.ts'
import { countAllInstallations } from '../../marketplace/apps/installation-counts-service.ts'
import { countApps } from '../../marketplace/apps/operator-apps-service.ts'
import { readFigures } from '../../operation/metrics/hourly-figures-service.ts'
import { mayChange } from '../kit/frame.ts'
import { visitorOf, visitorShell } from '../requests/visitor.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import type { ChartRange } from './charts-view.ts'
import { NO_SANDBOX } from './find-service.ts'
import { operatorOverviewPage } from './overview-page.ts'
import { readTrail } from './trail/trail-names-service.ts'

const LATEST_EVENTS = 10

/** The first page of the operator console. */
export async function operatorOverviewRoutes(app: App) {
  const { deps } = app
  app.get('/Operator', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const range: ChartRange = request.query.get('range') === '30d' ? '30d' : '24h'
    const visitor = visitorOf(request)
    const [accounts, apps, installations, trail, figures, hasFactor, offered] = await Promise.all([
      countAccounts(deps),
      countApps(deps),
      countAllInstallations(deps),
      readTrail(deps, {}, { after: undefined, limit: LATEST_EVENTS }),
      readFigures(deps, range, 2),
      hasSecondFactor(deps, visitor.id),
      countParties(deps, NO_SANDBOX, 1),
    ])
    const shown = { trail, range, figures, counts: { ...accounts, apps, installations } }
    const shell = visitorShell(request, reply)
    const setUp = mayChange(shell)
      ? { sendsMail: sendsMail(deps), hasFactor, hasAccount: offered > 0 }
      : undefined
    return sendPage(reply, operatorOverviewPage({ ...shell, ...shown, setUp }))
  })
}
