import { z } from 'zod'
import type { App } from '../../http/app-type.ts'

const JWKS_MAX_AGE_SECONDS = 300

const Jwks = z
  .object({
    keys: z.array(
      z.looseObject({
        kid: z.string(),
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: z.string(),
        y: z.string(),
        alg: z.literal('ES256'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({
    id: 'Jwks',
    example: {
      keys: [
        {
          kid: 'cPRzqW5Zt0uPzUuXlqFc7w',
          kty: 'EC',
          crv: 'P-256',
          alg: 'ES256',
          use: 'sig',
          x: 'gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0',
          y: 'SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps',
        },
      ],
    },
  })

/** The public keys, with which anyone can verify tokens offline. */
export async function publicKeyRoutes(app: App) {
  app.get(
    '/.well-known/jwks.json',
    {
      config: { anyOrigin: true },
      schema: {
        operationId: 'readKeys',
        tags: ['Tokens'],
        summary: 'Read the public keys that verify tokens',
        description:
          'A JSON Web Key Set (RFC 7517). A token that verifies offline may still have been ' +
          'revoked; this server also checks that at each request.',
        response: { 200: Jwks },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${JWKS_MAX_AGE_SECONDS}`)
      return (await app.deps.keys.jwks()) as z.infer<typeof Jwks>
    },
  )
}
