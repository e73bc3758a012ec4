import { parseInput } from '../../../base/values/field-errors.ts'
import { UuidText } from '../../../base/values/shapes.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { findOwnInstallations } from '../../../marketplace/installations/developer-installations-service.ts'
import { InstallationSuspension } from '../../../marketplace/installations/installation.ts'
import {
  resumeInstallation,
  suspendInstallation,
} from '../../../marketplace/installations/lifecycle-service.ts'
import { bulkPage } from '../../requests/bulk-page.ts'
import { multilineText } from '../../shared/forms/settings-form.ts'
import { OWN_REASON } from './installation-frame.ts'

const LIST = '/Developer/Installations'

/** The pages on which a developer suspends or resumes several installations at once. */
export async function bulkInstallationRoutes(app: App) {
  const { deps } = app
  const ofSeveral = {
    place: { console: 'developer', section: 'installations' } as const,
    nouns: ['installation', 'installations'] as const,
    list: () => ({ href: LIST, label: 'Installations' }),
    id: UuidText,
  }

  bulkPage(app, {
    ...ofSeveral,
    path: `${LIST}/Suspend`,
    fields: { reason: OWN_REASON },
    config: { recentFactor: true },
    verb: 'Suspend',
    done: 'suspended, effective immediately',
    kind: 'danger',
    consequences: [
      'Their tokens are refused immediately, and no new ones are issued.',
      'Users of the accounts cannot open the apps. They see the reason.',
      'No data is lost. You can resume each at any time.',
    ],
    find: (request, ids) => findOwnInstallations(deps, developerOf(request).developerId, ids),
    begin(request, typed) {
      const { developerId, actor } = developerActor(request)
      const given = { reason: multilineText(typed, 'reason') }
      const { reason } = parseInput(InstallationSuspension, given)
      return (installationId) =>
        suspendInstallation(deps, { installationId, where: { developerId }, actor }, reason)
    },
  })

  bulkPage(app, {
    ...ofSeveral,
    path: `${LIST}/Resume`,
    verb: 'Resume',
    done: 'resumed, effective immediately',
    consequences: ['The suspension of each ends. Tokens that have not expired work again.'],
    find: (request, ids) => findOwnInstallations(deps, developerOf(request).developerId, ids),
    begin(request) {
      const { developerId, actor } = developerActor(request)
      return async (installationId, { status }) => {
        if (status === 'active') throw new AppError('conflict', { detail: 'Not suspended.' })
        return resumeInstallation(deps, { installationId, where: { developerId }, actor })
      }
    },
  })
}
