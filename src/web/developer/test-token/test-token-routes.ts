import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { InstallationPath } from '../../../marketplace/installations/installation.ts'
import { issueTestToken } from '../../../marketplace/installations/test-token-service.ts'
import { readAttempt, redirectSecret, refuse } from '../../requests/kept-forms.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { ownInstallationPath } from '../console-frame.ts'
import { readInstallationPage } from '../installations/installation-page-service.ts'
import { codeSamples } from './code-samples.ts'
import { madeTestTokenPage, TEST_TOKEN_FIELD, testTokenPage } from './test-token-page.ts'

const PATH = '/Developer/Installations/:installationId/TestToken'
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

  app.get(PATH, { schema: { hide: true, params: InstallationPath } }, async (request, reply) => {
    const own = await readActive(request, request.params.installationId)
    const again = readAttempt(request, reply)
    const input = { ...visitorShell(request, reply), own, problems: again?.problems ?? [] }
    const secret = request.kept?.secret
    if (secret !== undefined) {
      const { [FACT.token]: token = '', [FACT.permissions]: permissions = '' } = secret.facts
      const samples = codeSamples(publicUrl, permissions.split(' '))
      const { [FACT.token]: _, ...facts } = secret.facts
      return sendPage(
        reply,
        madeTestTokenPage({ ...input, secret: { ...secret, facts }, token, samples }),
      )
    }
    const { permissions } = own.installation
    const chosen = again ? chosenIn(again.typed, permissions) : permissions
    const lifetime = lifetimeIn(again?.typed)
    return sendPage(reply, testTokenPage({ ...input, lifetimes, lifetime, chosen }))
  })

  app.post(
    PATH,
    { config: { actsOnce: true }, schema: { hide: true, params: InstallationPath, body: Fields } },
    async (request, reply) => {
      const { installationId } = request.params
      const own = await readActive(request, installationId)
      const { actor } = developerActor(request)
      const permissions = chosenIn(request.body, own.installation.permissions)
      const wanted = { installationId, permissions, expiresIn: lifetimeIn(request.body) }
      try {
        const issued = await issueTestToken(
          deps,
          { developer: developerOf(request), actor },
          wanted,
        )
        return await sendToken(request, reply, installationId, issued)
      } catch (error) {
        const codes = ['installation_suspended', 'installation_not_accessible'] as const
        return refuse(request, reply, refusalOf(error, codes))
      }
    },
  )

  function sendToken(
    request: FastifyRequest,
    reply: FastifyReply,
    installationId: string,
    { token, permissions, expiresAt }: Awaited<ReturnType<typeof issueTestToken>>,
  ) {
    return redirectSecret(request, reply, `${ownInstallationPath(installationId)}/TestToken`, {
      title: 'Your token is ready.',
      what: 'token',
      facts: {
        [FACT.token]: token,
        [FACT.permissions]: permissions.join(' '),
      },
      until: expiresAt,
    })
  }

  /** Only an active installation has tokens. */
  async function readActive(request: FastifyRequest, installationId: string) {
    const { developerId } = developerOf(request)
    const own = await readInstallationPage(deps, developerId, installationId)
    if (own.installation.status !== 'active') throw new AppError('not_found')
    return own
  }

  function lifetimeIn(fields: FormFields | undefined): number {
    const wanted = Number(fields?.get(TEST_TOKEN_FIELD.lifetime))
    if (lifetimes.includes(wanted)) return wanted
    return lifetimes.includes(USUAL_LIFETIME_SECONDS)
      ? USUAL_LIFETIME_SECONDS
      : (lifetimes.at(-1) ?? maxTokenTtlSeconds)
  }
}

function chosenIn(fields: FormFields, granted: readonly string[]): string[] {
  return granted.filter((id) => fields.has(TEST_TOKEN_FIELD.permission(id)))
}
