import { randomBytes, randomUUID } from 'node:crypto'
import { SYSTEM } from '../../src/base/values/actor.ts'
import type { Audience } from '../../src/http/route-table.ts'
import { createConnection } from '../../src/identity/accounts/connections-service.ts'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../src/identity/accounts/members/developer-members-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { inviteByOperator } from '../../src/identity/people/invitations-service.ts'
import type { TestMarketplace } from '../setup/app.ts'
import { author, flat, newId } from '../setup/apps.ts'
import { accountToken, call, demoInstallation, installationToken } from '../setup/client.ts'
import { acceptAll, fullDraft, listedApp, newCustomer, newMember } from '../setup/customer.ts'
import { fanOutAll } from '../setup/fan-out.ts'
import { operatorWithCode } from '../setup/operator.ts'

/** Who knocks at every route. */
export const CAST = [
  'anonymous',
  'developer A',
  'developer B',
  'user A',
  'user B',
  'member A',
  'operator',
  'support',
  'installation A',
  'installation B',
  'expired',
  'suspended',
] as const
export type Role = (typeof CAST)[number]

/** The least that passes for a PDF. */
export const PDF = '%PDF-1.7\n%%EOF'

type Tokens = Record<'developer' | 'user' | 'operator' | 'installation', string>
type Guarded = Exclude<Audience, 'public' | 'browser'>

/** The kind of token that an audience takes. */
const KIND = {
  developer: 'developer',
  account: 'user',
  operator: 'operator',
  installation: 'installation',
} as const satisfies Record<Guarded, keyof Tokens>

/** Tokens of everybody; an expired or suspended one is of the kind that the route takes. */
export async function assemble(market: TestMarketplace) {
  const [developerA, developerB] = [await author(market, 0), await author(market, 1)]
  const [userA, userB] = [await newCustomer(market), await newCustomer(market)]
  const memberOfA = await newMember(market, userA.party.id)
  const operator = await operatorWithCode(market, market.demo.operator)
  const email = `${randomUUID()}@example.com`
  const support = await createUser(market.deps, { email, name: 'Sasha Support', support: true })
  const [a, b] = [
    demoInstallation(market, 'price-sync', 'Seller'),
    demoInstallation(market, 'catalog-sync'),
  ]
  // B is of a Seller whose products are not A's.
  const ofHomewell = market.demo.installations.filter(({ appId }) => appId === b.appId)[1] ?? b
  market.advance(-7200)
  const expired = await tokensOf(market)
  market.advance(7200)
  const suspended = await tokensOf(market)
  await suspendAll(market)
  const tokens: Record<Exclude<Role, 'anonymous' | 'expired' | 'suspended'>, string> = {
    'developer A': developerA.token,
    'developer B': developerB.token,
    'user A': userA.token,
    'user B': userB.token,
    'member A': await accountToken(market, memberOfA),
    operator: operator.token,
    support: await accountToken(market, support),
    'installation A': await installationToken(market, a),
    'installation B': await installationToken(market, ofHomewell),
  }
  const tokenOf = (role: Role, audience: Audience): string | undefined => {
    const kind = audience in KIND ? KIND[audience as Guarded] : 'developer'
    switch (role) {
      case 'anonymous':
        return undefined
      case 'expired':
        return expired[kind]
      case 'suspended':
        return suspended[kind]
      default:
        return tokens[role]
    }
  }
  let codeAt = Date.now()
  /** Renews the operator's code when it is minutes old. @returns whether it was */
  const renewCode = async (): Promise<boolean> => {
    if (Date.now() - codeAt < 240_000) return false
    tokens.operator = await operator.newToken()
    codeAt = Date.now()
    return true
  }
  return { tokenOf, developerA, userA, operator, renewCode }
}
export type Cast = Awaited<ReturnType<typeof assemble>>

/** One token of each kind, of principals of their own. */
async function tokensOf(market: TestMarketplace): Promise<Tokens> {
  const { deps } = market
  const id = randomUUID()
  const developer = await createDeveloper(deps, { name: SUSPENDED, clientId: `extra-${id}` })
  const { body } = await call(market, 'POST', '/v1/Auth', { body: developer })
  const customer = await newCustomer(market)
  const operator = await createUser(deps, {
    ...{ email: `${id}@operators.example`, name: SUSPENDED, operator: true },
  })
  const token: string = body.token
  const app = fullDraft()
  await call(market, 'POST', '/v1/Developer/Apps', { token, body: app })
  const sandbox = await call(market, 'POST', `/v1/Developer/Apps/${app.id}/Sandbox`, { token })
  const minted = await call(market, 'POST', '/v1/Developer/Token', {
    token,
    body: { installationId: sandbox.body.id },
  })
  await deps.db.user.update({ where: { id: customer.user.id }, data: { name: SUSPENDED } })
  const tokens = {
    developer: token,
    user: customer.token,
    operator: await accountToken(market, operator),
    installation: minted.body.token as string,
  }
  if (Object.values(tokens).some((one) => typeof one !== 'string')) throw new Error('no token')
  return tokens
}

const SUSPENDED = 'About to be suspended'

async function suspendAll({ deps: { db } }: TestMarketplace): Promise<void> {
  const data = { suspendedAt: new Date() }
  await db.user.updateMany({ where: { name: SUSPENDED }, data })
  await db.developer.updateMany({ where: { name: SUSPENDED }, data })
}

/**
 * Things of A that a row may use up: an app of developer A, installed by user A, and what only an
 * operator handles.
 *
 * @param former what an operator handles can be used again where no operator is let in
 */
export async function prepare(
  market: TestMarketplace,
  { developerA, userA }: Cast,
  former?: OperatorThings,
) {
  const { deps } = market
  const app = await listedApp(developerA, fullDraft())
  const { body: terms } = await developerA.putTerms(app.id, '# Terms')
  const beside = await developerA.putTermsPdf(app.id, PDF)
  if (beside.status !== 200) throw new Error(beside.text)
  const installation = await userA.install({
    ...{ appId: app.id, purchaseOptionId: 'free' },
    ...(await acceptAll(market, app.id)),
  })
  if (installation.status !== 201) throw new Error(installation.text)
  const webhook = await developerA.send('POST', `/${app.id}/Webhooks`, {
    url: 'https://hooks.example.com/events',
  })
  const endpointId: string = webhook.body.id
  const { developerId: ofA } = await deps.db.app.findUniqueOrThrow({ where: { id: app.id } })
  await fanOutAll(deps, ofA)
  const delivery = await deps.db.webhookDelivery.findFirstOrThrow({ where: { endpointId } })
  const { id: credentialOfA } = await deps.db.developerCredential.findFirstOrThrow({
    where: { developerId: ofA, removedAt: null },
    orderBy: { createdAt: 'asc' },
  })
  const installLink = await developerA.send('POST', `/${app.id}/InstallLinks`, {})
  const other = await listedApp(developerA, fullDraft())
  const consumer = newId()
  await call(market, 'PUT', `/v1/Developer/EventConsumers/${consumer}`, {
    token: developerA.token,
    body: { position: 0 },
  })
  const product = await deps.db.product.findFirstOrThrow({
    where: { partyId: demoInstallation(market, 'price-sync', 'Seller').partyId },
  })
  // B is the one whose app may write products.
  const [, ofB] = market.demo.installations.filter(({ appId }) => appId === 'catalog-sync')
  const partyId = ofB?.partyId ?? 0
  const productOfB = await deps.db.product.create({
    data: { partyId, brand: 'B', partNumber: randomUUID(), inStock: 1, body: '"brand":"B"}' },
  })
  const importOfB = await deps.db.productImport.create({ data: { partyId, status: 'completed' } })
  const { id: personOfDeveloperA } = await newPerson(market)
  await deps.db.developerMember.deleteMany({ where: { developerId: ofA } })
  const asMember = { userId: personOfDeveloperA, role: 'member' } as const
  await addDeveloperMember(deps, ofA, asMember, SYSTEM)
  const { pictureId, screenshotId } = await storePictures(deps, { id: app.id, developerId: ofA })
  const asked = await listedApp(developerA, fullDraft())
  // At most 20 of one user wait.
  await deps.db.installRequest.deleteMany({ where: { partyId: userA.party.id } })
  const { id: requestOfA } = await deps.db.installRequest.create({
    data: {
      ...{ partyId: userA.party.id, userId: userA.user.id, appId: asked.id, version: '1.0.0' },
      ...{ purchaseOptionId: 'free', userSettings: {}, passwordKeys: [] },
      consent: { acknowledgements: [], termsDocument: null },
    },
  })
  const invited = (to: { partyIds: number[] } | { developerId: string }) =>
    inviteByOperator(deps, { email: `${randomUUID()}@example.com`, name: 'New', ...to }, SYSTEM)
  const invitationToPartyA = (await invited({ partyIds: [userA.party.id] })).id
  const invitationToDeveloperA = (await invited({ developerId: ofA })).id
  const time = new Date()
  const { publicId: sessionOfA } = await deps.db.session.create({
    data: {
      ...{ id: new Uint8Array(randomBytes(32)), userId: userA.user.id },
      ...{ createdAt: time, lastSeenAt: time, expiresAt: new Date(time.getTime() + 3_600_000) },
    },
  })
  return {
    ...(former ?? (await operatorThings(market))),
    personOfDeveloperA,
    productOfB: String(productOfB.id),
    importOfB: importOfB.id,
    app,
    appId: app.id,
    pictureId,
    screenshotId,
    file: '64.webp',
    partyOfA: userA.party.id,
    memberOfA: (await newMember(market, userA.party.id)).id,
    /** Listed, and not installed. */
    otherAppId: other.id,
    installationId: installation.body.id as string,
    credentialOfA,
    sessionOfA,
    requestOfA,
    invitationToPartyA,
    invitationToDeveloperA,
    consumer,
    installLinkId: installLink.body.id as string,
    installLink: installLink.body.url as string,
    endpointId,
    deliveryId: delivery.id,
    productId: String(product.id),
    /** Of the terms. */
    sha256: terms.sha256 as string,
    newApp: fullDraft(),
    nextVersion: { ...app, version: '2', purchaseOptions: [flat('free', 1)], settings: {} },
    credentials: {
      developer: market.demo.developers[0],
      user: market.demo.users[0],
    },
  }
}

/** An icon and a screenshot of an app; nobody looks at their files. */
async function storePictures(
  { db }: TestMarketplace['deps'],
  { id: appId, developerId }: { id: string; developerId: string },
) {
  const picture = (kind: 'icon' | 'screenshot') =>
    db.appPicture.create({
      data: {
        ...{ appId, developerId, kind, alt: 'A picture', width: 1, height: 1, bytes: 1 },
        files: { create: { size: '64', content: Buffer.from('x') } },
      },
    })
  const icon = await picture('icon')
  await db.app.update({ where: { id: appId }, data: { iconId: icon.id } })
  return { pictureId: icon.id, screenshotId: (await picture('screenshot')).id }
}

function newPerson({ deps }: Pick<TestMarketplace, 'deps'>) {
  return createUser(deps, { email: `${randomUUID()}@example.com`, name: 'Pat Person' })
}

/** What only an operator handles. */
async function operatorThings({ deps }: Pick<TestMarketplace, 'deps'>) {
  const developer = await createDeveloper(deps, { name: `Extra ${randomUUID()}` })
  const credential = await deps.db.developerCredential.findFirstOrThrow({
    where: { developerId: developer.id },
  })
  const buyer = await createParty(deps, { name: randomUUID(), type: 'Buyer' })
  const seller = await createParty(deps, { name: randomUUID(), type: 'Seller' })
  await createConnection(deps, { buyerId: buyer.id, sellerId: seller.id })
  const user = await createUser(deps, {
    ...{ email: `${randomUUID()}@example.com`, name: 'Extra', partyIds: [seller.id] },
  })
  const owner = { userId: user.id, role: 'owner' } as const
  await addDeveloperMember(deps, developer.id, owner, SYSTEM)
  const invitation = await inviteByOperator(
    deps,
    { email: `${randomUUID()}@example.com`, name: 'Extra' },
    SYSTEM,
  )
  const time = new Date()
  const times = { guessesSince: time, createdAt: time, confirmedAt: time }
  await deps.db.secondFactor.create({
    data: { userId: user.id, secret: new Uint8Array(1), ...times },
  })
  return {
    otherUserId: (await newPerson({ deps })).id,
    invitationId: invitation.id,
    developerId: developer.id,
    credentialId: credential.id,
    buyerId: buyer.id,
    sellerId: seller.id,
    partyId: seller.id,
    userId: user.id,
  }
}

type OperatorThings = Awaited<ReturnType<typeof operatorThings>>
export type Things = Awaited<ReturnType<typeof prepare>>
