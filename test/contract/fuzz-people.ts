import { randomUUID } from 'node:crypto'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../src/identity/accounts/members/developer-members-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { createLink, renewToken } from '../../src/identity/links/link-tokens-service.ts'
import { inviteByOperator } from '../../src/identity/people/invitations-service.ts'
import { createPasswordReset } from '../../src/identity/people/password-resets-service.ts'
import { issueToken } from '../../src/identity/tokens/issue-service.ts'
import type { TestMarketplace } from '../setup/app.ts'

const PASSWORD = 'a password of somebody who leaves'
const TTL_SECONDS = 3600
const SPARE_USERS = 8

/** Requests that are to succeed on people who may be lost: they leave, join and are invited. */
export const PEOPLE_AIMS = {
  acceptInvitation: { body: 'accept.bodies' },
  completePasswordReset: { body: 'reset.bodies' },
  createEmailChange: { token: 'leaver.tokens', body: 'email.bodies' },
  confirmEmailChange: { body: 'confirm.bodies' },
  deleteInvitation: { path: { id: 'invitations.id' } },
  deletePartyInvitation: { path: { id: 'member.party', invitationId: 'party.invitations' } },
  deleteDeveloperInvitation: { path: { invitationId: 'developer.invitations' } },
  listPartyInvitations: { path: { id: 'member.party' } },
  deleteOwnUser: { token: 'leaver.tokens', body: 'leaver.bodies' },
  deleteUser: { path: { id: 'leaver.ids' } },
  closeParty: { path: { id: 'empty.parties' } },
  closeDeveloper: { path: { id: 'empty.developers' } },
  changeMembership: {
    path: { userId: 'member.ids', partyId: 'member.party' },
    body: 'party.roles',
  },
  changePartyMember: { path: { id: 'member.party', userId: 'member.ids' }, body: 'party.roles' },
  deletePartyMember: { path: { id: 'member.party', userId: 'member.ids' } },
  changeDeveloperMember: { path: { userId: 'people.ids' }, body: 'developer.roles' },
  deleteDeveloperMember: { path: { userId: 'people.ids' } },
  changeMemberOfDeveloper: {
    path: { id: 'people.developers', userId: 'people.ids' },
    body: 'developer.roles',
  },
  deleteMemberOfDeveloper: { path: { id: 'people.developers', userId: 'people.ids' } },
}

/**
 * People and companies of their own, anew each time.
 *
 * @param developerId whom the aimed requests of developers are made for
 */
export async function peoplePools(
  market: TestMarketplace,
  operatorId: string,
  developerId: string,
): Promise<Map<string, unknown[]>> {
  // Links are handed over here, and not mailed.
  const deps = { ...market.deps, config: { ...market.deps.config, smtpUrl: undefined } }
  const person = (password?: string) =>
    createUser(deps, {
      email: `${randomUUID()}@people.example`,
      name: 'Spare',
      partyIds: [],
      ...(password !== undefined && { password }),
    })
  const spare = await deps.db.user.count({
    where: { email: { endsWith: '@people.example' }, removedAt: null },
  })
  for (let count = spare; count < SPARE_USERS; count++) await person()
  const leaver = await person(PASSWORD)
  const { token } = await issueToken(
    deps,
    { aud: 'account', sub: leaver.id, client_id: 'account', gen: 0 },
    TTL_SECONDS,
  )
  const party = await createParty(deps, { name: `Empty ${randomUUID()}`, type: 'Buyer' })
  const members = await createParty(deps, { name: `Members ${randomUUID()}`, type: 'Buyer' })
  const member = await person()
  await deps.db.membership.createMany({
    data: [
      { partyId: members.id, userId: operatorId },
      { partyId: members.id, userId: member.id, role: 'member' },
    ],
  })
  const worker = await person()
  await deps.db.developerMember.deleteMany({ where: { developerId } })
  await addDeveloperMember(deps, developerId, { userId: worker.id, role: 'member' }, SYSTEM)
  const empty = await createDeveloper(deps, { name: `Empty ${randomUUID()}` })
  const invited = async (to: { partyIds?: number[]; developerId?: string } = {}) => {
    const email = `${randomUUID()}@people.example`
    return inviteByOperator(deps, { email, name: 'Invited', ...to }, SYSTEM)
  }
  const [open, taken] = [await invited(), await invited()]
  const reset = await createPasswordReset(deps, member.id, SYSTEM)
  const password = randomUUID()
  const to = `${randomUUID()}@people.example`
  const change = await createLink(deps, {
    ...{ purpose: 'email_change', email: to, scope: `to ${worker.id}`, actor: SYSTEM },
    grants: { request: randomUUID(), from: worker.email, to },
    userId: worker.id,
  })
  return new Map<string, unknown[]>([
    ['invitations.id', [open.id]],
    ['party.invitations', [(await invited({ partyIds: [members.id] })).id]],
    ['developer.invitations', [(await invited({ developerId })).id]],
    ['accept.bodies', [{ token: tokenOf(taken.link), password }]],
    ['reset.bodies', [{ token: tokenOf(reset.link), password }]],
    ['email.bodies', [{ email: to, password: PASSWORD }]],
    ['confirm.bodies', [{ token: await renewToken(deps, change.id, { mailed: true }) }]],
    ['leaver.tokens', [token]],
    ['leaver.bodies', [{ password: PASSWORD }]],
    ['leaver.ids', [(await person()).id]],
    ['empty.parties', [party.id]],
    ['empty.developers', [empty.id]],
    ['member.party', [members.id]],
    ['member.ids', [member.id]],
    ['party.roles', [{ role: 'member' }]],
    ['developer.roles', [{ role: 'owner' }]],
    ['people.ids', [worker.id]],
    ['people.developers', [developerId]],
  ])
}

function tokenOf(link: string | null | undefined): string | null {
  return new URL(link ?? 'http://none').searchParams.get('token')
}
