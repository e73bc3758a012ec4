import type { TestMarketplace } from '../setup/app.ts'
import type { Author } from '../setup/apps.ts'
import { call } from '../setup/client.ts'

/** Requests that are to succeed on what the developer of the aimed requests has. */
export const OWN_AIMS = {
  deleteOwnCredential: { path: { credentialId: 'own.credentials' } },
  readAppVersion: { path: { appId: 'versioned.apps', version: 'own.versions' } },
  readAppVersionChanges: {
    path: { appId: 'versioned.apps', version: 'own.versions' },
    query: { from: 'own.versions' },
  },
}

/** What signs in, a credential that can be removed, and versions that can be compared. */
export async function ownPools(
  market: TestMarketplace,
  { token }: Author,
): Promise<Map<string, unknown[]>> {
  const { deps, demo } = market
  const path = '/v1/Developer/Credentials'
  await call(market, 'POST', path, { token, body: {} })
  const { body } = await call(market, 'GET', path, { token })
  const spare = (body as { id: string; clientId: string }[]).filter(
    ({ clientId }) => clientId !== demo.developers[0]?.clientId,
  )
  const versions = await deps.db.appVersion.findMany({
    where: { app: { deletedAt: null, id: { startsWith: 'app-' } } },
    take: 20,
  })
  return new Map<string, unknown[]>([
    ['own.credentials', spare.map(({ id }) => id)],
    ['versioned.apps', versions.map(({ appId }) => appId)],
    [
      'signIn.developers',
      demo.developers.map(({ clientId, password }) => ({ clientId, password })),
    ],
    ['signIn.users', demo.users.map(({ email, password }) => ({ email, password }))],
    ['own.versions', versions.map(({ version }) => version)],
  ])
}
