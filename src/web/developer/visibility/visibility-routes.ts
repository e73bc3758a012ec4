import { AppPath } from '../../../base/values/app-path.ts'
import { parseInput } from '../../../base/values/field-errors.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { readOwnApp } from '../../../marketplace/apps/read-apps-service.ts'
import {
  createInstallLink,
  deleteInstallLink,
  listInstallLinks,
} from '../../../marketplace/apps/visibility/install-links-service.ts'
import {
  InstallLinkId,
  InstallLinkRequest,
  type Visibility,
  VisibilityRequest,
} from '../../../marketplace/apps/visibility/visibility.ts'
import {
  readVisibility,
  setVisibility,
} from '../../../marketplace/apps/visibility/visibility-service.ts'
import { refusedControls } from '../../kit/fields.ts'
import { formPage } from '../../requests/form-page.ts'
import { type FormFields, multilineText } from '../../shared/forms/settings-form.ts'
import { APP_NOTICES, ownAppPath } from '../console-frame.ts'
import { utcTimeOf } from '../webhooks/utc-time.ts'
import { LINK_FIELDS, linksCard, VISIBILITY_FIELDS, visibilityPath } from './visibility-page.ts'

const APP = '/Developer/Apps/:appId'
const PLACE = { console: 'developer', section: 'own-apps' } as const
const REFUSED = ['unprocessable', 'conflict', 'precondition_failed'] as const
/** As many as an app may have. */
const ALL_LINKS = { after: undefined, limit: 100 }

/** Who finds a developer's app, and the links with which accounts find a private one. */
export async function visibilityPages(app: App) {
  const { deps } = app

  formPage(app, {
    path: `${APP}/Visibility`,
    params: AppPath,
    place: PLACE,
    fields: VISIBILITY_FIELDS,
    refused: REFUSED,
    async page(request, _, _reply, { appId }) {
      const { developerId } = developerOf(request)
      const { app: own } = await readOwnApp(deps, developerId, appId)
      const { shown } = await readVisibility(deps, developerId, own.id)
      const links = await listInstallLinks(deps, developerId, own.id, ALL_LINKS)
      return {
        title: 'Who finds the app',
        about: own.name,
        back: { href: ownAppPath(own.id), label: own.name },
        lead: 'Accounts that have the app installed keep it, also when they no longer find it.',
        stored: new Map([
          ['visibility', shown.visibility],
          ['partyIds', shown.partyIds.join('\n')],
        ]),
        button: 'Save',
        below: () => linksCard(own, links.entries),
      }
    },
    async submit(request, typed, { appId }) {
      const wanted = parseInput(VisibilityRequest, {
        visibility: typed.get('visibility') as Visibility,
        partyIds: idsIn(multilineText(typed, 'partyIds')),
      })
      await setVisibility(deps, developerActor(request), appId, wanted)
      return { path: ownAppPath(appId), text: APP_NOTICES.visibility(wanted.visibility) }
    },
  })

  formPage(app, {
    path: `${APP}/InstallLinks`,
    params: AppPath,
    place: PLACE,
    fields: LINK_FIELDS,
    refused: REFUSED,
    async page(request, _, _reply, { appId }) {
      const { app: own } = await readOwnApp(deps, developerOf(request).developerId, appId)
      return {
        title: 'Make an install link',
        about: own.name,
        back: { href: visibilityPath(own.id), label: 'Who finds the app' },
        lead: 'An account that uses the link finds the app while it is private, and can install it.',
        button: 'Make link',
      }
    },
    async submit(request, typed, { appId }) {
      const { url } = await createInstallLink(
        deps,
        developerActor(request),
        appId,
        linkOfForm(typed),
      )
      const secret = { title: 'The link was made.', what: 'link', facts: { Link: url } }
      return { path: visibilityPath(appId), secret }
    },
  })

  formPage(app, {
    path: `${APP}/InstallLinks/:installLinkId/Delete`,
    params: AppPath.extend({ installLinkId: InstallLinkId }),
    place: PLACE,
    refused: [],
    async page(request, _, _reply, { appId, installLinkId }) {
      const { developerId } = developerOf(request)
      const { app: own } = await readOwnApp(deps, developerId, appId)
      const links = await listInstallLinks(deps, developerId, own.id, ALL_LINKS)
      if (!links.entries.some(({ id }) => id === installLinkId)) throw new AppError('not_found')
      return {
        title: 'Delete an install link',
        about: own.name,
        back: { href: visibilityPath(own.id), label: 'Who finds the app' },
        button: 'Delete',
        kind: 'danger' as const,
        consequences: [
          'The link leads nowhere any more.',
          'Accounts that used it no longer find the app while it is private.',
          'Accounts that have it installed keep it.',
        ],
      }
    },
    async submit(request, _, { appId, installLinkId }) {
      await deleteInstallLink(deps, developerActor(request), appId, installLinkId)
      return { path: visibilityPath(appId), text: 'The link was deleted.' }
    },
  })
}

/** Numbers of a text with one in each line, or between commas; other words stay for the check. */
function idsIn(text: string): number[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map(numberIn)
}

function numberIn(word: string): number {
  return /^\d{1,10}$/.test(word) ? Number(word) : Number.NaN
}

/** @throws AppError unprocessable */
function linkOfForm(typed: FormFields): InstallLinkRequest {
  const written = (name: string) => typed.get(name)?.trim() || undefined
  const number = (name: string) => {
    const text = written(name)
    return text === undefined ? {} : { [name]: numberIn(text) }
  }
  const ends = written('expiresAt')
  const time = ends === undefined ? undefined : utcTimeOf(ends)
  if (ends !== undefined && time === undefined) {
    const text = 'Enter a date and a time, such as 2026-11-22 09:30.'
    throw refusedControls([{ field: 'expiresAt', text }])
  }
  return parseInput(InstallLinkRequest, {
    ...number('uses'),
    ...number('partyId'),
    ...(time !== undefined && { expiresAt: new Date(time).toISOString() }),
  })
}
