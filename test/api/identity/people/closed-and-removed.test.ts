import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { createParty } from '../../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { readInvitation } from '../../../../src/identity/people/accept-invitation-service.ts'
import {
  inviteByOperator,
  inviteToDeveloper,
  inviteToParty,
} from '../../../../src/identity/people/invitations-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { accept, newAddress, tokenOf } from '../../../setup/people.ts'

let market: SharedMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await sharedMarketplace()
  operator = await operatorCalls(market)
})

const password = 'a password of eight words'
const newParty = () => createParty(market.deps, { name: randomUUID(), type: 'Seller' })
const newDeveloper = () => createDeveloper(market.deps, { name: randomUUID() })

test('an invitation is for what was not closed since, and dead when nothing is left', async () => {
  const [open, closed] = [await newParty(), await newParty()]
  const developer = await newDeveloper()
  const invite = async (grants: object) => {
    const person = { email: newAddress(), name: 'Ingo Invited' }
    return inviteByOperator(market.deps, { ...person, ...grants }, SYSTEM)
  }
  const toBoth = await invite({ partyIds: [closed.id, open.id] })
  const toClosed = await invite({ partyIds: [closed.id] })
  const toDeveloper = await invite({ developerId: developer.id })
  const toConsole = await invite({ partyIds: [closed.id], operator: true })
  await operator('POST', `Parties/${closed.id}/Close`)
  await operator('POST', `Developers/${developer.id}/Close`)
  expect((await accept(market, toBoth.link, password)).status).toBe(200)
  expect((await accept(market, toConsole.link, password)).status).toBe(200)
  const { db } = market.deps
  const { memberships: none, operator: isOperator } = await db.user.findUniqueOrThrow({
    where: { email: toConsole.email },
    include: { memberships: true },
  })
  expect({ none, isOperator }).toEqual({ none: [], isOperator: true })
  const memberships = await db.membership.findMany({ where: { user: { email: toBoth.email } } })
  expect(memberships.map(({ partyId }) => partyId)).toEqual([open.id])
  for (const { email, link } of [toClosed, toDeveloper]) {
    expectProblem(await accept(market, link, password), 'invalid_link')
    expect(await db.user.count({ where: { email } })).toBe(0)
  }
  const { id: developerId } = developer
  for (const [grants, pointer] of [
    [{ partyIds: [open.id, closed.id] }, '/partyIds/1'],
    [{ developerId }, '/developerId'],
  ] as const) {
    const person = { email: newAddress(), name: 'Ingo Invited' }
    const refused = await operator('POST', 'Invitations', { ...person, ...grants })
    expectProblem(refused, 'unprocessable')
    expect(refused.body.errors).toMatchObject([
      { pointer, detail: expect.stringContaining('is closed') },
    ])
  }
})

test('a developer takes nobody who was removed, and nobody once it is closed', async () => {
  const person = () => createUser(market.deps, { email: newAddress(), name: 'Pat Person' })
  const [removed, live] = [await person(), await person()]
  await operator('DELETE', `Users/${removed.id}`)
  const { id } = await newDeveloper()
  const add = (userId: string) =>
    operator('POST', `Developers/${id}/Members`, { userId, role: 'member' })
  expectProblem(await add(removed.id), 'unprocessable')
  await operator('POST', `Developers/${id}/Close`)
  expectProblem(await add(live.id), 'conflict')
})

test('an invitation ends when its author is an owner or an admin no more, or an operator who is suspended', async () => {
  const { deps } = market
  const { id: developerId } = await newDeveloper()
  const author = (more: object) =>
    deps.db.user.create({
      data: { email: newAddress(), name: 'Author', passwordHash: 'x', ...more },
    })
  const owner = await author({ developers: { create: { developerId, role: 'owner' } } })
  const { id: partyId } = await newParty()
  const admin = await author({ memberships: { create: { partyId, role: 'admin' } } })
  const chief = await author({ operator: true })
  const person = () => ({ email: newAddress(), name: 'Ingo Invited', role: 'member' as const })
  const asOwner = { kind: 'user', id: owner.id, developerId, address: null } as const
  const asAdmin = { kind: 'user', id: admin.id, address: null } as const
  const asChief = { kind: 'operator', id: chief.id, address: null } as const
  const invitations = [
    await inviteToDeveloper(deps, developerId, person(), asOwner),
    await inviteToParty(deps, partyId, person(), { userId: admin.id, actor: asAdmin }),
    await inviteByOperator(deps, { ...person(), developerId }, asChief),
  ]
  await deps.db.membership.updateMany({ where: { userId: admin.id }, data: { role: 'member' } })
  const where = { developerId_userId: { developerId, userId: owner.id } }
  await deps.db.developerMember.update({ where, data: { role: 'member' } })
  await deps.db.user.update({ where: { id: chief.id }, data: { suspendedAt: new Date() } })
  for (const { link } of invitations) {
    expectProblem(await accept(market, link, password), 'invalid_link')
  }
})

test.each([
  ['an admin who is suspended', 'account', 'user'],
  ['an owner who is suspended', 'owner', 'user'],
  ['an owner of a developer that is suspended', 'owner', 'developer'],
  ['a program of a developer that is suspended', 'program', 'developer'],
  ['a program whose credential is removed', 'program', 'credential'],
] as const)('an invitation by %s opens nothing until the end of that', async (_who, by, what) => {
  const { deps } = market
  const { id: developerId, clientId } = await newDeveloper()
  const { id: partyId } = await newParty()
  const { id: userId } = await deps.db.user.create({
    data: {
      ...{ email: newAddress(), name: 'Author', passwordHash: 'x' },
      memberships: { create: { partyId, role: 'admin' } },
      developers: { create: { developerId, role: 'owner' } },
    },
  })
  const person = { email: newAddress(), name: 'Ingo Invited', role: 'member' as const }
  const user = { kind: 'user', id: userId, address: null } as const
  const program = { kind: 'developer', id: clientId, address: null } as const
  const invite = {
    account: () => inviteToParty(deps, partyId, person, { userId, actor: user }),
    owner: () => inviteToDeveloper(deps, developerId, person, { ...user, developerId }),
    program: () => inviteToDeveloper(deps, developerId, person, program),
  }
  const { link } = await invite[by]()
  const { user: users, developer: developers, developerCredential: credentials } = deps.db
  const end = {
    user: (suspendedAt: Date | null) =>
      users.update({ where: { id: userId }, data: { suspendedAt } }),
    developer: (suspendedAt: Date | null) =>
      developers.update({ where: { id: developerId }, data: { suspendedAt } }),
    credential: (removedAt: Date | null) =>
      credentials.update({
        where: { clientId },
        data: { removedAt, slot: removedAt === null ? 1 : null },
      }),
  }
  await end[what](new Date())
  expectProblem(await accept(market, link, password), 'invalid_link')
  expectProblem(await accept(market, link), 'invalid_link')
  await expect(readInvitation(deps, tokenOf(link))).rejects.toMatchObject({ code: 'invalid_link' })
  await end[what](null)
  expect((await accept(market, link, password)).status).toBe(200)
})

test('operators invite as many people as they like', async () => {
  const { id: partyId } = await newParty()
  const invite = () =>
    inviteByOperator(
      market.deps,
      { email: newAddress(), name: 'Ingo Invited', partyIds: [partyId] },
      SYSTEM,
    )
  await Promise.all(Array.from({ length: 50 }, invite))
  expect(await invite()).toMatchObject({ partyIds: [partyId] })
})
