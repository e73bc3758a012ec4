import { COMMAND_LINE } from '../../base/values/actor.ts'
import {
  createConnection,
  listConnections,
  removeConnection,
} from '../../identity/accounts/connections-service.ts'
import {
  changeMembership,
  createMembership,
  removeMembership,
} from '../../identity/accounts/members/memberships-service.ts'
import { PartyRole } from '../../identity/accounts/members/roles.ts'
import { unlessChosen } from '../../identity/accounts/operator-records.ts'
import type { UserChange } from '../../identity/accounts/operator-requests.ts'
import { changeParty, createParty, listParties } from '../../identity/accounts/parties-service.ts'
import { setPassword } from '../../identity/accounts/user-passwords-service.ts'
import {
  changeUser,
  createUserByOperator,
  listUsers,
} from '../../identity/accounts/users-service.ts'
import { lifetimeText } from '../../identity/links/link.ts'
import { inviteByCommand } from '../../identity/people/command-invitation-service.ts'
import { removeLostFactorByEmail } from '../../identity/people/lost-factors/remove-lost-factor-service.ts'
import type { CommandTable, Options } from './command.ts'
import { everyEntry, UsageError, uuid, wholeNumber, withMarketplace } from './marketplace.ts'

/** Commands for operators, parties, users, memberships and connections. */
export const ACCOUNT_COMMANDS: CommandTable = {
  'operator create': {
    usage: 'operator create --email E --name N [--password-stdin]',
    does: 'Create a user who is an operator.',
    options: ['email', 'name', 'password'],
    required: ['email', 'name'],
    run: ({ options: { email = '', name = '', password } }) =>
      withMarketplace((deps) =>
        createUserByOperator(deps, { email, name, password, operator: true }, COMMAND_LINE),
      ),
  },
  'operator invite': {
    usage: 'operator invite EMAIL [NAME] [--link]',
    does:
      'Mail a link with which a person becomes an operator; without SMTP_URL, or with --link, ' +
      `show it. It works once, for ${lifetimeText('invitation')}.`,
    options: [],
    flags: ['link'],
    required: [],
    files: [1, 2],
    run: ({ flags, files: [email = '', name = email.split('@', 1)[0] ?? ''] }) =>
      withMarketplace((deps) =>
        inviteByCommand(
          deps,
          { email, name, operator: true },
          flags.has('link') ? 'hand over' : 'mail',
        ),
      ),
  },
  'operator grant': {
    usage: 'operator grant --id USER_ID',
    does: 'Make a user an operator.',
    options: ['id'],
    required: ['id'],
    run: ({ options: { id = '' } }) => changeOf(id, { operator: true }),
  },
  'operator revoke': {
    usage: 'operator revoke --id USER_ID',
    does: "Revoke a user's operator role.",
    options: ['id'],
    required: ['id'],
    run: ({ options: { id = '' } }) => changeOf(id, { operator: false }),
  },
  'support grant': {
    usage: 'support grant --id USER_ID',
    does: 'Let a user read what operators read, and change nothing.',
    options: ['id'],
    required: ['id'],
    run: ({ options: { id = '' } }) => changeOf(id, { support: true }),
  },
  'support revoke': {
    usage: 'support revoke --id USER_ID',
    does: "Revoke a user's support role.",
    options: ['id'],
    required: ['id'],
    run: ({ options: { id = '' } }) => changeOf(id, { support: false }),
  },
  'party create': {
    usage: 'party create --name N --type Buyer|Seller',
    does: 'Create a party.',
    options: ['name', 'type'],
    required: ['name', 'type'],
    run: ({ options: { name = '', type = '' } }) =>
      withMarketplace((deps) => createParty(deps, { name, type }, COMMAND_LINE)),
  },
  'party list': {
    usage: 'party list [--q TEXT] [--limit N]',
    does: 'List parties, or those with TEXT in their name.',
    options: ['q', 'limit'],
    required: [],
    run: ({ options: { q, limit } }) =>
      withMarketplace((deps) => everyEntry((page) => listParties(deps, { q }, page), limit)),
  },
  'party rename': {
    usage: 'party rename --id ID --name N',
    does: 'Change the name of a party.',
    options: ['id', 'name'],
    required: ['id', 'name'],
    run: ({ options: { id = '', name = '' } }) => {
      const partyId = wholeNumber(id, '--id')
      return withMarketplace((deps) => changeParty(deps, partyId, { name }, COMMAND_LINE))
    },
  },
  'user create': {
    usage: 'user create --email E --name N --party ID[,ID...] [--password-stdin]',
    does: 'Create a user who is a member of parties.',
    options: ['email', 'name', 'party', 'password'],
    required: ['email', 'name', 'party'],
    run: ({ options: { email = '', name = '', party = '', password } }) => {
      const partyIds = party.split(',').map((id) => wholeNumber(id, '--party'))
      return withMarketplace((deps) =>
        createUserByOperator(deps, { email, name, password, partyIds }, COMMAND_LINE),
      )
    },
  },
  'user list': {
    usage: 'user list [--q TEXT] [--limit N]',
    does: 'List users, or those with TEXT in their name or email.',
    options: ['q', 'limit'],
    required: [],
    run: ({ options: { q, limit } }) =>
      withMarketplace((deps) => everyEntry((page) => listUsers(deps, { q }, page), limit)),
  },
  'user rename': {
    usage: 'user rename --id ID --name N',
    does: 'Change the name of a user.',
    options: ['id', 'name'],
    required: ['id', 'name'],
    run: ({ options: { id = '', name = '' } }) => changeOf(id, { name }),
  },
  'user verify-email': {
    usage: 'user verify-email --id ID',
    does: 'Say that the email of a user is theirs, after asking the person.',
    options: ['id'],
    required: ['id'],
    run: ({ options: { id = '' } }) => changeOf(id, { emailProved: true }),
  },
  'user password': {
    usage: 'user password --id ID [--password-stdin]',
    does: "Give a user a new password; the user's sessions and tokens end.",
    options: ['id', 'password'],
    required: ['id'],
    run: ({ options: { id = '', password } }) => {
      const userId = uuid(id, '--id')
      return withMarketplace(async (deps) => {
        const input = { password }
        return unlessChosen(input, await setPassword(deps, userId, input, COMMAND_LINE))
      })
    },
  },
  'user remove-factor': {
    usage: 'user remove-factor EMAIL [--reason TEXT]',
    does: 'Remove the second factor of a user who has lost it.',
    options: ['reason'],
    required: [],
    files: 1,
    run: async ({ options: { reason }, files: [email = ''] }) => {
      await withMarketplace((deps) =>
        removeLostFactorByEmail(deps, email, { reason }, COMMAND_LINE),
      )
      return { removed: true }
    },
  },
  'membership create': {
    usage: 'membership create --user ID --party ID [--role member|admin]',
    does: 'Make a user a member of a party; an admin unless a role is given.',
    options: ['user', 'party', 'role'],
    required: ['user', 'party'],
    run: ({ options }) => {
      const { role = 'admin' } = options
      const membership = { ...membershipOf(options), role: partyRole(role) }
      return withMarketplace((deps) => createMembership(deps, membership, COMMAND_LINE))
    },
  },
  'membership change': {
    usage: 'membership change --user ID --party ID --role member|admin',
    does: 'Change the role of a member of a party.',
    options: ['user', 'party', 'role'],
    required: ['user', 'party', 'role'],
    run: ({ options }) => {
      const membership = membershipOf(options)
      const change = { role: partyRole(options.role ?? '') }
      return withMarketplace((deps) => changeMembership(deps, membership, change, COMMAND_LINE))
    },
  },
  'membership remove': {
    usage: 'membership remove --user ID --party ID',
    does: 'End a membership.',
    options: ['user', 'party'],
    required: ['user', 'party'],
    run: async ({ options }) => {
      const membership = membershipOf(options)
      await withMarketplace((deps) => removeMembership(deps, membership, COMMAND_LINE))
      return { removed: true }
    },
  },
  'connection create': {
    usage: 'connection create --buyer ID --seller ID',
    does: 'Let a Buyer see the products of a Seller.',
    options: ['buyer', 'seller'],
    required: ['buyer', 'seller'],
    run: ({ options }) => {
      const connection = connectionOf(options)
      return withMarketplace((deps) => createConnection(deps, connection, COMMAND_LINE))
    },
  },
  'connection list': {
    usage: 'connection list [--limit N]',
    does: 'List which Buyers see the products of which Sellers.',
    options: ['limit'],
    required: [],
    run: ({ options: { limit } }) =>
      withMarketplace((deps) => everyEntry((page) => listConnections(deps, {}, page), limit)),
  },
  'connection remove': {
    usage: 'connection remove --buyer ID --seller ID',
    does: 'End a connection.',
    options: ['buyer', 'seller'],
    required: ['buyer', 'seller'],
    run: async ({ options }) => {
      const connection = connectionOf(options)
      await withMarketplace((deps) => removeConnection(deps, connection, COMMAND_LINE))
      return { removed: true }
    },
  },
}

function changeOf(id: string, change: UserChange) {
  const userId = uuid(id, '--id')
  return withMarketplace((deps) => changeUser(deps, userId, change, COMMAND_LINE))
}

function membershipOf({ user = '', party = '' }: Options) {
  return { userId: uuid(user, '--user'), partyId: wholeNumber(party, '--party') }
}

function partyRole(text: string): PartyRole {
  const role = PartyRole.safeParse(text)
  if (!role.success) throw new UsageError('--role must be member or admin.')
  return role.data
}

function connectionOf({ buyer = '', seller = '' }: Options) {
  return {
    buyerId: wholeNumber(buyer, '--buyer'),
    sellerId: wholeNumber(seller, '--seller'),
  }
}
