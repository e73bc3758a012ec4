import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import {
  createCredential,
  removeCredential,
} from '../../../../src/identity/accounts/credentials-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, demoInstallation, developerToken, installationToken } from '../../../setup/client.ts'
import { basicHeader, clientFields, sendForm } from '../../../setup/oauth.ts'
import { noteStatements } from '../../../setup/statements.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const newToken = () => installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
const works = async (token: string) =>
  (await call(market, 'GET', '/v1/Installation', { token })).status === 200

describe('/oauth/revoke', () => {
  test('ends a token of the client', async () => {
    const token = await newToken()
    const answer = await sendForm(market, '/oauth/revoke', { ...clientFields(market), token })
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: {} })
    expect(await works(token)).toBe(false)
    const entry = await market.deps.db.auditEvent.findFirst({
      where: { action: 'token.revoked' },
      orderBy: { id: 'desc' },
    })
    expect(entry).toMatchObject({ actorKind: 'developer', actorId: 'northwind' })
  })

  test('lets a public client end what it holds, and names nobody as its author', async () => {
    const token = await newToken()
    const { client_id } = clientFields(market)
    const answer = await sendForm(market, '/oauth/revoke', { client_id, token })
    expect(answer.status).toBe(200)
    expect(await works(token)).toBe(false)
    const entry = await market.deps.db.auditEvent.findFirst({
      where: { action: 'token.revoked' },
      orderBy: { id: 'desc' },
    })
    expect(entry).toMatchObject({ actorKind: 'installation' })
  })

  test('answers 200 to a client with the token of another, and the token stays', async () => {
    const token = await newToken()
    const answer = await sendForm(market, '/oauth/revoke', { ...clientFields(market, 1), token })
    expect([answer.status, answer.body, await works(token)]).toEqual([200, {}, true])
  })

  test('tells a public client that is unknown or not that of the token, alike, that it revoked nothing, dead tokens included', async () => {
    const token = await newToken()
    const { client_id } = clientFields(market, 1)
    const answers: Awaited<ReturnType<typeof sendForm>>[] = []
    const ask = async (id = '') =>
      answers.push(await sendForm(market, '/oauth/revoke', { client_id: id, token }))
    for (const id of ['nobody', client_id]) await ask(id)
    expect(await works(token)).toBe(true)
    await sendForm(market, '/oauth/revoke', { ...clientFields(market), token })
    for (const id of ['nobody', client_id]) await ask(id)
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        401,
        {
          error: 'invalid_client',
          error_description:
            'The client_id is wrong, or the token belongs to another client. This request revoked nothing.',
        },
      ])
    }
  })

  test.each([
    ['a token', newToken],
    ['what is no token', async () => 'nothing'],
  ])('needs a client for %s', async (_what, makeToken) => {
    const answer = await sendForm(market, '/oauth/revoke', { token: await makeToken() })
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The parameter client_id is missing.' },
    ])
  })

  test('takes the id of a removed credential for that of nobody', async () => {
    const { deps } = market
    const { developerId } = await deps.db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
    const { id, clientId } = await createCredential(deps, developerId, {}, SYSTEM)
    await removeCredential(deps, developerId, id, SYSTEM)
    const token = await newToken()
    const answer = await sendForm(market, '/oauth/revoke', { client_id: clientId, token })
    expect([answer.status, await works(token)]).toEqual([401, true])
  })

  test('asks the database the same whether the client exists', async () => {
    const header = '{"alg":"ES256","typ":"at+jwt","kid":"unknown"}'
    const unknownKey = `${Buffer.from(header).toString('base64url')}.e30.${'A'.repeat(86)}`
    const statements = noteStatements(market.deps.pool)
    const asked = async (client_id: string, token: string) => {
      statements.take()
      await sendForm(market, '/oauth/revoke', { client_id, token })
      return statements.take().flatMap(({ ofRequest, text }) => (ofRequest ? [text] : []))
    }
    const { client_id } = clientFields(market, 1)
    for (const token of ['nothing', unknownKey, await newToken()]) {
      expect(await asked('nobody', token)).toEqual(await asked(client_id ?? '', token))
    }
  })

  test('takes an empty password in the header as none', async () => {
    const { client_id } = clientFields(market)
    const token = await newToken()
    const header = basicHeader({ client_id, client_secret: '' })
    expect((await sendForm(market, '/oauth/revoke', { token }, header)).status).toBe(200)
    const asked = { ...clientFields(market), token }
    const { body } = await sendForm(market, '/oauth/introspect', asked)
    expect(body).toEqual({ active: false })
    const answer = await sendForm(market, '/oauth/introspect', { token }, header)
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client'])
  })

  test('answers 200 to what is no token, whoever asks', async () => {
    for (const client of [clientFields(market), { client_id: 'nobody' }]) {
      const fields = { ...client, token: 'nothing', token_type_hint: 'whatever' }
      expect((await sendForm(market, '/oauth/revoke', fields)).status).toBe(200)
    }
  })
})

describe('/oauth/introspect', () => {
  test('tells a client of its own token', async () => {
    const token = await newToken()
    const header = basicHeader(clientFields(market))
    const { body } = await sendForm(market, '/oauth/introspect', { token }, header)
    expect(body).toMatchObject({ active: true, app_id: 'price-sync', token_type: 'Bearer' })
  })

  test('tells nothing of the token of another client, of a developer token and of nonsense', async () => {
    const own = await developerToken(market)
    for (const [token, index] of [
      [await newToken(), 1] as const,
      [own, 0] as const,
      ['x', 0] as const,
    ]) {
      const fields = { ...clientFields(market, index), token }
      const { body } = await sendForm(market, '/oauth/introspect', fields)
      expect(body).toEqual({ active: false })
    }
  })

  test('is for clients that prove who they are', async () => {
    const { client_id } = clientFields(market)
    const answer = await sendForm(market, '/oauth/introspect', { client_id, token: 'x' })
    expect({ status: answer.status, error: answer.body.error }).toEqual({
      status: 401,
      error: 'invalid_client',
    })
  })
})

test.each(['/oauth/revoke', '/oauth/introspect'])('%s needs a token, in 16 KiB', async (path) => {
  const answers = [
    await sendForm(market, path, clientFields(market)),
    await sendForm(market, path, { ...clientFields(market), other: 'x'.repeat(16_384) }),
  ]
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [400, 'invalid_request'],
    [413, 'invalid_request'],
  ])
})
