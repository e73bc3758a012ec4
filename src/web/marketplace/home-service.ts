import { ownSite } from '../../apps/own-site.ts'
import type { Deps } from '../../deps.ts'
import { suspensionCauses } from '../../installations/suspension-causes.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import type { HomeApp } from './home-app.ts'

/** The accounts of a user and the apps that are installed for them. */
export async function readHome(
  { db }: Pick<Deps, 'db'>,
  userId: string,
): Promise<{ parties: PageParty[]; apps: HomeApp[] }> {
  const parties = await db.party.findMany({
    where: { memberships: { some: { userId } } },
    include: {
      installations: {
        where: { live: true },
        include: { app: { include: { developer: true } } },
        orderBy: { appId: 'asc' },
      },
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  return {
    parties: parties.map(({ id, name, type }) => ({
      partyId: id,
      partyName: name,
      partyType: type,
    })),
    apps: parties.flatMap((party) =>
      party.installations.map((installation) => {
        const { id: installationId, app } = installation
        const suspensions = suspensionCauses({ ...installation, party })
        return {
          id: app.id,
          installationId,
          name: app.name,
          partyId: party.id,
          partyName: party.name,
          suspensions,
          canOpen: suspensions.length === 0 && Boolean(app.authReturnUrl),
          site: ownSite(app),
        }
      }),
    ),
  }
}
