import type { App } from '../../http/app-type.ts'
import { sendRecord } from '../../http/bodies/send-json.ts'
import { installationPrincipalOf } from '../../identity/guards/audience.ts'
import { Installation } from './installation.ts'
import { readInstallationOfToken } from './own-installation-service.ts'

/** What an app sees of its own installation. */
export async function ownInstallationRoutes(app: App) {
  app.get(
    '/v1/Installation',
    {
      config: { optionalPermission: 'settings:read' },
      schema: {
        operationId: 'readOwnInstallation',
        tags: ['Installations'],
        summary: 'Read the installation that the token acts for',
        description: 'Passwords are never in it. Without `settings:read` the settings are empty.',
        response: { 200: Installation },
      },
    },
    async (request, reply) => {
      const record = await readInstallationOfToken(app.deps, installationPrincipalOf(request))
      return sendRecord(reply, record)
    },
  )
}
