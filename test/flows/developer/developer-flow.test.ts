import { createRemoteJWKSet, jwtVerify } from 'jose'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

describe('the developer flow of the specification', () => {
  test('from credentials to products', async () => {
    const server = request(market.url)
    const [developer] = market.demo.developers
    const auth = await server
      .post('/v1/Auth')
      .send({ clientId: developer?.clientId, password: developer?.password })
      .expect(200)
    const developerToken = auth.body.token
    expect(auth.body).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600 })

    const installations = await server
      .get('/v1/Developer/Installations')
      .auth(developerToken, { type: 'bearer' })
      .expect(200)
    expect(installations.body.map((one: { appId: string }) => one.appId).sort()).toEqual([
      'price-sync',
      'price-sync',
      'stock-watch',
    ])

    const installationId = installations.body[0].id
    const issued = await server
      .post('/v1/Developer/Token')
      .auth(developerToken, { type: 'bearer' })
      .send({ installationId })
      .expect(200)
    expect(issued.body).toMatchObject({ installationId, permissions: expect.any(Array) })

    const products = await server
      .get('/v1/Products')
      .auth(issued.body.token, { type: 'bearer' })
      .expect(200)
    expect(products.body).toHaveLength(33)
    expect(Object.keys(products.body[0])).toEqual([
      'id',
      'brand',
      'partNumber',
      'inStock',
      'shortDescription',
      'msrp',
      'mapPrice',
      'upc',
    ])
  })

  test('an independent library verifies the tokens through the JWKS address', async () => {
    const [developer] = market.demo.developers
    const auth = await request(market.url)
      .post('/v1/Auth')
      .send({ clientId: developer?.clientId, password: developer?.password })
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', market.url))
    const { payload, protectedHeader } = await jwtVerify(auth.body.token, keys, {
      issuer: market.url,
      audience: 'developer',
      typ: 'at+jwt',
      algorithms: ['ES256'],
    })
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    expect(payload).toMatchObject({
      sub: expect.any(String),
      cid: expect.any(String),
      client_id: developer?.clientId,
      jti: expect.any(String),
    })
  })
})
