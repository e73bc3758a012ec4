import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type {
  DeveloperClaims,
  InstallationClaims,
  VerifiedToken,
} from '../../../../src/base/values/token-claims.ts'
import {
  loadDeveloperStates,
  loadInstallationStates,
  type PrincipalProblem,
  type TokenOf,
} from '../../../../src/identity/tokens/principal-states-service.ts'
import { verifyToken } from '../../../../src/identity/tokens/verify.ts'
import { LISTED } from '../../../../src/marketplace/apps/visibility/visible-apps-service.ts'
import { findInstallation } from '../../../../src/marketplace/installations/stored-installation-service.ts'
import {
  canOpen,
  type SuspensionCause,
  suspensionCauses,
  suspensionsOfApp,
} from '../../../../src/marketplace/installations/suspension-causes.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author } from '../../../setup/apps.ts'
import {
  type Customer,
  developerCalls,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'

type Part = SuspensionCause['what']

/** The nearest first. */
const PARTS: readonly Part[] = ['installation', 'app', 'developer', 'account']
/** Every way to suspend some of them and not the others. */
const STATES = Array.from({ length: 2 ** PARTS.length }, (_, bits) =>
  PARTS.filter((_, at) => (bits >> at) % 2 === 1),
)
const reasonOf = (part: Part) => `Because of ${part}`
const NAMES: Record<Part, string> = {
  installation: 'installation',
  app: 'app',
  developer: "app's developer",
  account: 'account',
}
/** What the query of installation tokens calls them. */
const PROBLEM_OF: Record<Part, PrincipalProblem> = {
  installation: 'suspended',
  app: 'app',
  developer: 'developer',
  account: 'party',
}

let market: SharedMarketplace
let developer: Author
let seller: Customer
let appId: string
let id: string
let ofInstallation: TokenOf<InstallationClaims>
let ofDeveloper: TokenOf<DeveloperClaims>
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
  seller = await newCustomer(market)
  appId = (await listedApp(developer, fullDraft())).id
  const body = { appId, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS }
  id = (await seller.install(body)).body.id
  const minted = await mint()
  ofInstallation = (await verified(minted.body.token)) as typeof ofInstallation
  ofDeveloper = (await verified(developer.token)) as typeof ofDeveloper
})

const mint = () => developerCalls(market, developer.token).mint(id)

function verified(token: string): Promise<VerifiedToken> {
  const { keys, config, now } = market.deps
  return verifyToken(token, { publicKeyOf: keys.publicKeyOf, issuer: config.publicUrl, now })
}

async function suspend(parts: readonly Part[]) {
  const { db, now } = market.deps
  const dataOf = (part: Part) =>
    parts.includes(part)
      ? { suspendedAt: now(), suspendedReason: reasonOf(part) }
      : { suspendedAt: null, suspendedReason: null }
  const { developerId } = await db.app.findUniqueOrThrow({ where: { id: appId } })
  const isSuspended = parts.includes('installation')
  await db.installation.update({
    where: { id },
    data: {
      ...dataOf('installation'),
      status: isSuspended ? 'suspended' : 'active',
      suspendedBy: isSuspended ? 'operator' : null,
    },
  })
  await db.app.update({ where: { id: appId }, data: dataOf('app') })
  await db.developer.update({ where: { id: developerId }, data: dataOf('developer') })
  await db.party.update({ where: { id: seller.party.id }, data: dataOf('account') })
}

const readRow = async () => (await findInstallation(market.deps.db, id, {})).row

async function readStates() {
  const { pool, now } = market.deps
  const [installation] = await loadInstallationStates(pool, now(), [ofInstallation])
  const asked = { ...ofDeveloper, installationId: id }
  const [ofItsDeveloper] = await loadDeveloperStates(pool, now(), [asked])
  return { installation, ofItsDeveloper }
}

describe.each(STATES.map((parts) => [parts]))('while %j is suspended', (parts) => {
  const [nearest] = parts
  beforeAll(() => suspend(parts))
  afterAll(() => suspend([]))

  test('these are the causes, the nearest first', async () => {
    const causes = suspensionCauses(await readRow())
    expect(causes).toEqual(parts.map((what) => ({ what, by: 'operator', reason: reasonOf(what) })))
  })

  test('tokens are refused for the nearest of them, in SQL', async () => {
    const { installation, ofItsDeveloper } = await readStates()
    expect(installation?.problem).toBe(nearest === undefined ? null : PROBLEM_OF[nearest])
    expect(ofItsDeveloper?.problem).toBe(parts.includes('developer') ? 'developer' : null)
  })

  test('the state that minting is asked with has the same causes', async () => {
    const { ofItsDeveloper } = await readStates()
    if (!ofItsDeveloper?.installation) throw new Error('no state')
    const { suspendable } = ofItsDeveloper.installation
    expect(suspendable && suspensionCauses(suspendable)).toEqual(
      parts.length === 0 ? null : suspensionCauses(await readRow()),
    )
  })

  test('users can open the app only when nothing is', async () => {
    expect(canOpen(await readRow())).toBe(nearest === undefined)
    const { openUrl } = (await seller.read(id)).body
    expect(openUrl !== null).toBe(nearest === undefined)
  })

  test('the catalogue has the app unless something stops it for everybody', async () => {
    const { app } = await readRow()
    const listed = await market.deps.db.app.count({ where: { id: appId, ...LISTED } })
    expect(listed).toBe(suspensionsOfApp(app).length === 0 ? 1 : 0)
  })

  test('the account cannot agree to anything new, and reads the nearest cause', async () => {
    const answer = await seller.changeOption(id, 'full')
    if (nearest === undefined) return expect(answer.status).toBe(200)
    expectProblem(answer, 'installation_suspended')
    expect(answer.body.detail).toBe(`The ${NAMES[nearest]} is suspended: ${reasonOf(nearest)}`)
  })

  test('its developer makes no token, and reads no reason of an account', async () => {
    const answer = await mint()
    if (nearest === undefined) return expect(answer.status).toBe(200)
    if (parts.includes('developer')) return expectProblem(answer, 'invalid_token')
    expectProblem(answer, 'installation_suspended')
    const reason = nearest === 'account' ? '.' : `: ${reasonOf(nearest)}`
    expect(answer.body.detail).toBe(`The ${NAMES[nearest]} is suspended${reason}`)
  })
})

test('what is uninstalled has no causes, no token and no way to open it', async () => {
  await suspend(['installation', 'account'])
  expect((await developerCalls(market, developer.token).uninstall(id)).status).toBe(204)
  const row = await readRow()
  expect([row.status, suspensionCauses(row), canOpen(row)]).toEqual(['uninstalled', [], false])
  const { installation, ofItsDeveloper } = await readStates()
  expect(installation?.problem).toBe('uninstalled')
  expect(ofItsDeveloper?.installation).toBeNull()
  expectProblem(await mint(), 'installation_not_accessible')
})
