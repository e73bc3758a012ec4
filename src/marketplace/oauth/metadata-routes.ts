import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { ServerMetadata, serverMetadata } from './server-metadata.ts'

const HEADERS = { 'cache-control': 'public, max-age=300' }

/** Any text that can be the id of an app: whether there is one is not told. */
const MetadataPath = z.object({
  appId: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/i)
    .max(64)
    .describe('Id of the app.')
    .meta({ example: 'price-sync' }),
})

/** What the authorization server can do, for clients that find it by its address (RFC 8414). */
export async function metadataRoutes(app: App) {
  const { publicUrl } = app.deps.config
  const path = '/.well-known/oauth-authorization-server'
  const config = { anyOrigin: true }
  const common = { tags: ['Tokens'], response: { 200: ServerMetadata } }

  app.get(
    path,
    {
      config,
      schema: {
        ...common,
        operationId: 'readServerMetadata',
        summary: 'Read where tokens are made, verified and revoked',
        description:
          'Authorization server metadata (RFC 8414). Each app has an authorization endpoint ' +
          'of its own: for the redirect and its codes, read the metadata of the app.',
      },
    },
    async (_request, reply) => {
      reply.headers(HEADERS)
      return serverMetadata(publicUrl)
    },
  )
  app.get(
    `${path}/Apps/:appId`,
    {
      config,
      schema: {
        ...common,
        operationId: 'readServerMetadataOfApp',
        summary: 'Read the metadata for the redirect of one app',
        description:
          'Authorization server metadata (RFC 8414) for the issuer `/Apps/{appId}`. It is ' +
          'the same for every id that an app can have: strangers do not learn which apps ' +
          'there are.',
        params: MetadataPath,
      },
    },
    async (request, reply) => {
      reply.headers(HEADERS)
      return serverMetadata(publicUrl, request.params.appId.toLowerCase())
    },
  )
}
