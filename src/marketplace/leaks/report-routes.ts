import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { clientAddress } from '../../http/client-address.ts'
import { reportSecret } from './report-service.ts'

/** Every answer takes so long: what is done for a secret that there is takes a part of it. */
const ANSWER_MS = 250

const SecretReport = z
  .strictObject({
    secret: z
      .string()
      .describe('The secret, or the whole address that it was found in.')
      .meta({ example: 'amkt_client_...' }),
  })
  .meta({ id: 'SecretReport' })

const SecretReported = z.object({}).meta({ id: 'SecretReported', example: {} })

/** Reports of leaked secrets, by scanners or by anybody who finds one. */
export async function reportRoutes(app: App) {
  app.post(
    '/v1/Secrets/Report',
    {
      bodyLimit: SIGN_IN_LIMIT_BYTES,
      schema: {
        operationId: 'reportSecret',
        tags: ['Tokens'],
        summary: 'Report a leaked secret',
        description:
          'For anybody. If it is a live secret of this marketplace it ends at once and its ' +
          'owner is told: the generated password of a credential (`amkt_client_...`, with ' +
          'its tokens), a token, a code of the redirect (`amc_...`), a link (`amkt_link_...`), an ' +
          'install link (`amkt_install_...`) or the secret of a webhook endpoint (`whsec_...`). ' +
          'The answer is the same, after the same time, for whatever is reported.',
        body: SecretReport,
        response: { 202: SecretReported },
      },
    },
    async (request, reply) => {
      const { secret } = request.body
      await Promise.all([
        reportSecret(app.deps, secret, clientAddress(request)),
        setTimeout(ANSWER_MS),
      ])
      reply.code(202).header('cache-control', 'no-store')
      return {}
    },
  )
}
