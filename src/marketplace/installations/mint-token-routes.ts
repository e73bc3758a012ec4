import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { AnyQuery } from '../../http/undeclared.ts'
import {
  admitWithInstallation,
  developerWithInstallationOf,
} from '../../identity/guards/developer-with-installation.ts'
import { IssuedInstallationToken } from '../../identity/tokens/issued-token.ts'
import { issueInstallationToken } from './mint-token-service.ts'

const InstallationTokenRequest = z
  .object({
    installationId: z
      .string()
      .describe('Id of an installation of one of your apps.')
      .meta({ format: 'uuid', example: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
    permissions: z
      .array(z.string().max(100))
      .max(100)
      .optional()
      .describe('Narrows what the token may do. Default: all that the installation was granted.')
      .meta({ example: ['products:read'] }),
    expiresIn: z
      .int()
      .min(60)
      .max(86_400)
      .optional()
      .describe('Lifetime in seconds.')
      .meta({ example: 3600 }),
  })
  .meta({
    id: 'InstallationTokenRequest',
    description: 'An installation, and the bounds of the token for it.',
  })

/** `POST /v1/Developer/Token` (the specification's third step). */
export async function mintTokenRoutes(app: App) {
  app.post(
    '/v1/Developer/Token',
    {
      ...admitWithInstallation(installationInBody),
      schema: {
        operationId: 'createInstallationToken',
        tags: ['Tokens'],
        summary: 'Generate a bearer token for one installation',
        description:
          'The token may be given to a client such as a browser: it expires, and it is ' +
          'limited to the permissions of the installation. It also ends when the credential ' +
          'of your developer token is removed. Unknown properties are ignored.',
        querystring: AnyQuery,
        body: InstallationTokenRequest,
        response: { 200: IssuedInstallationToken },
        problems: ['insufficient_scope', 'installation_not_accessible', 'installation_suspended'],
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store')
      return issueInstallationToken(app.deps, developerWithInstallationOf(request), request.body)
    },
  )
}

/** Reads the installation from a body that was not validated yet. */
function installationInBody(body: unknown): string | undefined {
  const { installationId } = (body ?? {}) as { installationId?: unknown }
  return typeof installationId === 'string' ? installationId : undefined
}
