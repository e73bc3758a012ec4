import { issueToken } from '../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../src/marketplace/installations/mint-token-service.ts'
import type { TestMarketplace } from '../setup/app.ts'
import { credentialOf } from '../setup/token-maker.ts'

const TTL_SECONDS = 3600
const INSTALLATIONS = 12

/**
 * New tokens of each kind, and what the first installation token's holder sees: its products and an
 * import.
 *
 * @param operatorId the user whom the fuzzer acts as
 * @param installationIds those that tokens may be made for
 */
export async function tokenPools(
  { deps, demo }: TestMarketplace,
  operatorId: string,
  installationIds: string[],
): Promise<Map<string, unknown[]>> {
  const { tokenGeneration: gen } = await deps.db.user.findUniqueOrThrow({
    where: { id: operatorId },
  })
  const now = Math.floor(deps.now().getTime() / 1000)
  const account = { aud: 'account' as const, sub: operatorId, client_id: 'account', gen }
  const credentials = await Promise.all(
    demo.developers.map(({ clientId }) =>
      deps.db.developerCredential.findUniqueOrThrow({ where: { clientId } }),
    ),
  )
  const found = await deps.db.installation.findMany({
    where: { id: { in: installationIds } },
    orderBy: { partyType: 'desc' },
  })
  // The aimed requests carry the first one's token, and some of them write products.
  const writes = ({ partyType, permissions }: (typeof found)[number]) =>
    Number(partyType !== 'Buyer' && permissions.includes('products:write'))
  const installations = found.sort((a, b) => writes(b) - writes(a)).slice(0, INSTALLATIONS)
  const issue = async (claims: Parameters<typeof issueToken>[1]) =>
    (await issueToken(deps, claims, TTL_SECONDS)).token
  const developers = await Promise.all(
    credentials.map(({ developerId, id, clientId }) =>
      issue({ aud: 'developer', sub: developerId, cid: id, client_id: clientId }),
    ),
  )
  const partyId = installations[0]?.partyId ?? 0
  const ownProducts = async (rest: string): Promise<unknown[]> => {
    const text = `SELECT id FROM products WHERE party_id = $1 ORDER BY id ${rest}`
    const { rows } = await deps.pool.query<{ id: unknown }>(text, [partyId])
    return rows.map(({ id }) => id)
  }
  const { id: importId } = await deps.db.productImport.create({
    data: { partyId, status: 'completed' },
  })
  const subjects = await Promise.all(
    installations.map(async (one) =>
      tokenClaims(one, one.permissions, await credentialOf(deps.db, one)),
    ),
  )
  return new Map<string, unknown[]>([
    ['visible.products', await ownProducts('LIMIT 20')],
    ['spare.products', await ownProducts('DESC LIMIT 10')],
    ['own.imports', [importId]],
    ['developerToken', developers],
    ['accountToken', [await issue(account)]],
    // Sets passwords and takes off second factors of others, which a recent code of one's own allows.
    ['operatorToken', [await issue({ ...account, amr: ['pwd', 'otp'], auth_time: now })]],
    ['installationToken', await Promise.all(subjects.map(issue))],
    // To be revoked: others than those that the requests carry.
    ['tokens', await Promise.all(subjects.map(issue))],
  ])
}
