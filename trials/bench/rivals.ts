import jwt from '@fastify/jwt'
import { createSigner } from 'fast-jwt'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'

/**
 * What the benchmark compares with, as one expert would write it in an afternoon: Fastify,
 * @fastify/jwt, node-postgres with prepared statements, fast-json-stringify (Fastify's own serializer), one
 * indexed liveness look-up, no cache. Beside it the ceilings: constant bytes, and signing alone.
 */
type Settings = {
  databaseUrl: string
  jwtSecret: string
  privateKeyPem: string
  constant: string
}

const product = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    brand: { type: 'string' },
    partNumber: { type: 'string' },
    inStock: { type: 'integer' },
    shortDescription: { type: 'string', nullable: true },
    msrp: { type: 'number', nullable: true },
    mapPrice: { type: 'number', nullable: true },
    upc: { type: 'string', nullable: true },
  },
}

type Claims = { sub: string; party_id: number }
type ProductsQuery = { after?: number; limit?: number }

function buildRivals({ databaseUrl, jwtSecret, privateKeyPem, constant }: Settings) {
  const app = Fastify()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  app.register(jwt, { secret: jwtSecret, verify: { algorithms: ['HS256'] } })
  const sign = createSigner({
    algorithm: 'ES256',
    key: privateKeyPem,
    header: { alg: 'ES256', typ: 'at+jwt' },
  })
  const bytes = Buffer.from(constant)

  const authenticate = async (request: FastifyRequest): Promise<Claims | undefined> => {
    const claims = await request.jwtVerify<Claims>()
    const { rowCount } = await pool.query({
      name: 'liveness',
      text: "SELECT 1 FROM installations WHERE id = $1 AND live AND status = 'active'",
      values: [claims.sub],
    })
    return rowCount === 1 ? claims : undefined
  }

  app.get<{ Querystring: ProductsQuery }>(
    '/v1/Products',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: { after: { type: 'integer' }, limit: { type: 'integer' } },
        },
        response: { 200: { type: 'array', items: product } },
      },
    },
    async (request, reply) => {
      const claims = await authenticate(request)
      if (claims === undefined) return reply.code(401).send()
      const { after = 0, limit = 1000 } = request.query
      const { rows } = await pool.query({
        name: 'page',
        text: `
          SELECT id::float8 AS id, brand, part_number AS "partNumber", in_stock AS "inStock",
            short_description AS "shortDescription", msrp::float8 AS msrp,
            map_price::float8 AS "mapPrice", upc
          FROM products p WHERE p.party_id = $1 AND p.id > $2 ORDER BY p.id LIMIT $3`,
        values: [claims.party_id, after, limit + 1],
      })
      if (rows.length > limit) {
        rows.pop()
        reply.header('link', `</v1/Products?after=${rows.at(-1).id}&limit=${limit}>; rel="next"`)
      }
      return rows
    },
  )

  app.get('/v1/Installation', async (request, reply) => {
    const claims = await authenticate(request)
    if (claims === undefined) return reply.code(401).send()
    const { rows } = await pool.query({
      name: 'installation',
      text: `
        SELECT i.id, i.app_id AS "appId", a.name AS "appName", i.party_type AS "partyType",
          i.party_id AS "partyId", p.name AS "partyName", i.install_date AS "installDate",
          i.purchase_option_id AS "purchaseOptionId", i.installed_version AS "installedVersion",
          i.status, i.suspended_reason AS "suspendedReason", i.permissions,
          i.updated_at AS "updatedAt",
          (SELECT json_object_agg(v.key, v.value) FROM setting_values v
            WHERE v.installation_id = i.id AND v.scope = 'user' AND v.secret IS NULL) AS "userSettings",
          (SELECT json_object_agg(v.key, v.value) FROM setting_values v
            WHERE v.installation_id = i.id AND v.scope = 'admin' AND v.secret IS NULL) AS "adminSettings"
        FROM installations i JOIN apps a ON a.id = i.app_id JOIN parties p ON p.id = i.party_id
        WHERE i.id = $1`,
      values: [claims.sub],
    })
    return rows[0]
  })

  app.patch<{ Params: { id: string }; Body: { inStock: number } }>(
    '/v1/Products/:id',
    async (request, reply) => {
      const claims = await authenticate(request)
      if (claims === undefined) return reply.code(401).send()
      await pool.query({
        name: 'update',
        text: 'UPDATE products SET in_stock = $3 WHERE party_id = $1 AND id = $2',
        values: [claims.party_id, request.params.id, request.body.inStock],
      })
      return { id: Number(request.params.id) }
    },
  )

  app.get('/constant', (_request, reply) => {
    reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
  })

  app.post<{ Body: { installationId: string } }>('/sign', async ({ body }) => ({
    token: sign({
      iss: 'http://127.0.0.1:3000',
      aud: 'installation',
      sub: body.installationId,
      client_id: 'bench',
      app_id: 'bench',
      party_id: 1,
      party_type: 'Seller',
      scope: 'products:read products:write',
      gen: 0,
      exp: Math.floor(Date.now() / 1000) + 3600,
      jti: crypto.randomUUID(),
    }),
    tokenType: 'Bearer',
    expiresIn: 3600,
  }))
  return app
}

process.once('message', async (settings: Settings) => {
  const address = await buildRivals(settings).listen({ port: 0, host: '127.0.0.1' })
  process.send?.(address)
})
