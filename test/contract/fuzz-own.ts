import type { TestMarketplace } from '../setup/app.ts'
import { type Author, draft, newId } from '../setup/apps.ts'
import { call } from '../setup/client.ts'

/** Requests that are to succeed on what the developer of the aimed requests has. */
export const OWN_AIMS = {
  readVisibility: { path: { appId: 'link.apps' } },
  replaceVisibility: { path: { appId: 'link.apps' }, body: 'visibility.bodies' },
  createInstallLink: { path: { appId: 'link.apps' }, body: 'link.bodies' },
  listInstallLinks: { path: { appId: 'link.apps' } },
  deleteInstallLink: { path: { appId: 'link.apps', id: 'link.ids' } },
  acceptInstallLink: { body: 'link.uses' },
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
  { token, create, send }: Author,
): Promise<Map<string, unknown[]>> {
  const { deps, demo } = market
  const linked = draft(newId())
  await create(linked)
  await send('PUT', `/${linked.id}/Visibility`, { visibility: 'private' })
  const links = [1, 2].map(() => send('POST', `/${linked.id}/InstallLinks`, {}))
  const [link, spare] = await Promise.all(links)
  const path = '/v1/Developer/Credentials'
  await call(market, 'POST', path, { token, body: {} })
  const { body } = await call(market, 'GET', path, { token })
  const spares = (body as { id: string; clientId: string }[]).filter(
    ({ clientId }) => clientId !== demo.developers[0]?.clientId,
  )
  const versions = await deps.db.appVersion.findMany({
    where: { app: { deletedAt: null, id: { startsWith: 'app-' } } },
    take: 20,
  })
  return new Map<string, unknown[]>([
    ['own.credentials', spares.map(({ id }) => id)],
    ['link.apps', [linked.id]],
    ['link.ids', [spare?.body.id]],
    ['link.bodies', [{}, { uses: 3 }]],
    ['visibility.bodies', [{ visibility: 'private' }, { visibility: 'private', partyIds: [] }]],
    ['link.uses', demo.users.map(({ partyId }) => ({ link: link?.body.url, partyId }))],
    ['versioned.apps', versions.map(({ appId }) => appId)],
    [
      'signIn.developers',
      demo.developers.map(({ clientId, password }) => ({ clientId, password })),
    ],
    ['signIn.users', demo.users.map(({ email, password }) => ({ email, password }))],
    ['own.versions', versions.map(({ version }) => version)],
  ])
}
