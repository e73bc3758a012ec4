import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { InstallationPath } from '../../../marketplace/installations/installation.ts'
import { issueTestToken } from '../../../marketplace/installations/test-token-service.ts'
import { formPage } from '../../requests/form-page.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { backTo } from '../installations/installation-frame.ts'
import { readInstallationPage } from '../installations/installation-page-service.ts'
import { codeSamples } from './code-samples.ts'
import { samplesCard, TEST_TOKEN_FIELD, tokenControls } from './test-token-view.ts'

const LIFETIMES_SECONDS = [300, 900, 3600]
const USUAL_LIFETIME_SECONDS = 900

/** What the page of a token that was made says of it. */
const FACT = { token: 'Token', permissions: 'Permissions' } as const

/** A token that a developer makes by hand, to try the API for one installation. */
export async function testTokenRoutes(app: App) {
  const { deps } = app
  const { maxTokenTtlSeconds, publicUrl } = deps.config
  const short = LIFETIMES_SECONDS.filter((seconds) => seconds <= maxTokenTtlSeconds)
  const lifetimes = short.length > 0 ? short : [maxTokenTtlSeconds]
  const usual = lifetimes.includes(USUAL_LIFETIME_SECONDS)
    ? USUAL_LIFETIME_SECONDS
    : (lifetimes.at(-1) ?? maxTokenTtlSeconds)

  formPage(app, {
    path: '/Developer/Installations/:installationId/TestToken',
    params: InstallationPath,
    place: { console: 'developer', section: 'installations' },
    refused: ['installation_suspended', 'installation_not_accessible'],
    async page(request, _, _reply, { installationId }) {
      const own = await readActive(request, installationId)
      const { partyName, permissions } = own.installation
      const back = backTo(own)
      const shown = {
        title: 'Make a test token',
        about: back.label,
        back,
        lead: html`It acts for <bdi>${partyName}</bdi>, on its real data. Your program gets its tokens with
<code>POST /v1/Developer/Token</code>.`,
      }
      const { [FACT.token]: token, [FACT.permissions]: granted = '' } =
        request.page.attempt?.secret?.facts ?? {}
      if (token !== undefined) {
        const samples = codeSamples(publicUrl, granted.split(' '))
        return { ...shown, above: samplesCard(token, samples, back.href) }
      }
      return {
        ...shown,
        stored: new Map([
          ...permissions.map((id): [string, string] => [TEST_TOKEN_FIELD.permission(id), 'true']),
          [TEST_TOKEN_FIELD.lifetime, String(usual)],
        ]),
        controls: (attempt) => tokenControls(permissions, lifetimes, attempt),
        button: 'Make a test token',
      }
    },
    async submit(request, typed, { installationId }) {
      const { installation } = await readActive(request, installationId)
      const developer = developerOf(request)
      const { actor } = developerActor(request)
      const wanted = {
        installationId,
        permissions: chosenIn(typed, installation.permissions),
        expiresIn: lifetimeIn(typed),
      }
      const made = await issueTestToken(deps, { developer, actor }, wanted)
      return {
        path: `${backTo({ installation }).href}/TestToken`,
        secret: {
          title: 'Your token is ready.',
          what: 'token',
          facts: { [FACT.token]: made.token, [FACT.permissions]: made.permissions.join(' ') },
          until: made.expiresAt,
        },
      }
    },
  })

  /** Only an active installation has tokens. */
  async function readActive(request: FastifyRequest, installationId: string) {
    const { developerId } = developerOf(request)
    const own = await readInstallationPage(deps, developerId, installationId)
    if (own.installation.status !== 'active') throw new AppError('not_found')
    return own
  }

  function lifetimeIn(fields: FormFields): number {
    const wanted = Number(fields.get(TEST_TOKEN_FIELD.lifetime))
    return lifetimes.includes(wanted) ? wanted : usual
  }
}

function chosenIn(fields: FormFields, granted: readonly string[]): string[] {
  return granted.filter((id) => fields.has(TEST_TOKEN_FIELD.permission(id)))
}
