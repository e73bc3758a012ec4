import { ownSite } from '../../apps/own-site.ts'
import type { Deps } from '../../deps.ts'
import { countRequestsToDecide } from '../../installations/requests/requests-shown-service.ts'
import { suspensionCauses } from '../../installations/suspension-causes.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import type { HomeApp } from './home-app.ts'

/** What the start page shows of a user's accounts. */
export type Home = { parties: PageParty[]; apps: HomeApp[]; requestsToDecide: number }

/**
 * The accounts of a user, the apps that are installed for them, and how many install requests wait
 * for the user.
 *
 * @param chosenId the account that the requests are of; all unless given
 */
export async function readHome(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  chosenId: number | undefined,
): Promise<Home> {
  const [parties, requestsToDecide] = await Promise.all([
    db.party.findMany({
      where: { memberships: { some: { userId } } },
      include: {
        installations: {
          where: { live: true },
          include: { app: { include: { developer: true } } },
          orderBy: { appId: 'asc' },
        },
      },
      orderBy: [{ name: 'asc' }, { id: 'asc' }],
    }),
    countRequestsToDecide({ db }, userId, chosenId),
  ])
  return {
    requestsToDecide,
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
