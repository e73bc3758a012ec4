import { z } from 'zod'
import {
  MembershipPath,
  partyFilter,
  searchText,
  suspendedFilter,
  UserPath,
} from '../../base/values/operator-paths.ts'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { operatorActor } from '../guards/actor.ts'
import {
  changeMembership,
  createMembership,
  removeMembership,
} from './members/memberships-service.ts'
import {
  CreatedUser,
  Membership,
  NewPassword,
  UserRecord,
  unlessChosen,
} from './operator-records.ts'
import {
  MemberChange,
  MembershipRequest,
  PasswordRequest,
  UserChange,
  UserRequest,
} from './operator-requests.ts'
import { removeUser } from './remove-user-service.ts'
import { setPassword } from './user-passwords-service.ts'
import { changeUser, createUserByOperator, listUsers, readUser } from './users-service.ts'

const tags = ['Operator']
const USERS = '/v1/Operator/Users'
const MEMBERSHIPS = '/v1/Operator/Memberships'

/** What an operator does with users and their memberships. */
export async function operatorUserRoutes(app: App) {
  app.post(
    USERS,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'createUser',
        tags,
        summary: 'Create a user',
        description:
          'The user signs in with email and password, and is a member of the named parties. ' +
          'Only this response shows a generated password; a chosen one is never shown. Where users sign in by single ' +
          'sign-on only, no password is made, none is taken (`password_login_off`), and the ' +
          'user signs in at the provider with this email.',
        body: UserRequest,
        response: { 201: CreatedUser },
        answerHeaders: ['Location'],
        problems: ['already_exists', 'password_login_off'],
      },
    },
    async (request, reply) => {
      const made = await createUserByOperator(app.deps, request.body, operatorActor(request))
      reply.code(201).headers({ location: `${USERS}/${made.id}`, 'cache-control': 'no-store' })
      return made
    },
  )

  app.get(
    USERS,
    {
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'List users',
        description: 'Oldest first.',
        querystring: z.strictObject({
          q: searchText('name or email'),
          partyId: partyFilter('Only members of this party.'),
          suspended: suspendedFilter,
          ...PageQuery,
        }),
        response: { 200: z.array(UserRecord) },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['users'], (page) => listUsers(app.deps, request.query, page)),
  )

  app.get(
    `${USERS}/:id`,
    {
      schema: {
        operationId: 'readUser',
        tags,
        summary: 'Read a user',
        description: 'The user with the parties that it may act for, and whether it is suspended.',
        params: UserPath,
        response: { 200: UserRecord },
      },
    },
    (request) => readUser(app.deps, request.params.id),
  )

  app.patch(
    `${USERS}/:id`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'changeUser',
        tags,
        summary: 'Change the name, the email or the role of a user',
        description:
          'What is left out stays. The flag counts from the next request on, also for ' +
          'existing tokens and sessions. You cannot take it from yourself, and nobody can ' +
          'take it from the last operator who can sign in (`operator_needed`). A new email is ' +
          'not confirmed by mail and counts as proved; open links of the user end, sessions and ' +
          'tokens stay. A user whose email nobody has proved gets no role (`email_not_proved`).',
        params: UserPath,
        body: UserChange,
        response: { 200: UserRecord },
        problems: ['operator_needed', 'email_not_proved', 'already_exists'],
      },
    },
    (request) => changeUser(app.deps, request.params.id, request.body, operatorActor(request)),
  )

  app.delete(
    `${USERS}/:id`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'deleteUser',
        tags,
        summary: 'Remove a user for good',
        description:
          'Email and name are replaced, the password opens nothing, memberships, sessions and ' +
          'tokens end. The id stays in the audit trail. The last operator who can sign in ' +
          '(`operator_needed`), the last admin of an account with installed apps, and you ' +
          'yourself (`conflict`) are refused.',
        params: UserPath,
        response: { 204: z.null() },
        problems: ['operator_needed', 'conflict'],
      },
    },
    async (request, reply) => {
      await removeUser(app.deps, request.params.id, operatorActor(request))
      return reply.code(204).send(null)
    },
  )

  app.put(
    `${USERS}/:id/Password`,
    {
      config: { recentFactor: 'always' },
      schema: {
        operationId: 'replaceUserPassword',
        tags,
        summary: 'Give a user a new password',
        description:
          "The user's sessions end at once, its account tokens and tokens from the " +
          'redirect are refused from the next request on: your own too when you are that ' +
          'user. Only this response shows a generated password; a chosen one is never shown. You ' +
          'need a second factor of your own, and a code of the last ten minutes.',
        params: UserPath,
        body: PasswordRequest,
        response: { 200: NewPassword },
        problems: ['password_login_off'],
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { params, body } = request
      return unlessChosen(
        body,
        await setPassword(app.deps, params.id, body, operatorActor(request)),
      )
    },
  )

  app.post(
    MEMBERSHIPS,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'createMembership',
        tags,
        summary: 'Make a user a member of a party',
        description:
          'From now on the user may act for the party, as far as its role goes. An `admin`, ' +
          'which is the default, installs, configures and uninstalls its apps and manages its ' +
          'members; a `member` opens them.',
        body: MembershipRequest,
        response: { 201: Membership },
        problems: ['already_exists', 'email_not_proved'],
      },
    },
    async (request, reply) => {
      const made = await createMembership(app.deps, request.body, operatorActor(request))
      reply.code(201)
      return made
    },
  )

  app.patch(
    `${MEMBERSHIPS}/:userId/:partyId`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'changeMembership',
        tags,
        summary: 'Give a member of a party another role',
        description:
          'The role counts from the next request on, also for existing tokens and sessions. ' +
          'You may leave a party without an admin; its own members cannot.',
        params: MembershipPath,
        body: MemberChange,
        response: { 200: Membership },
        problems: ['email_not_proved'],
      },
    },
    (request) => {
      const { userId, partyId } = request.params
      const membership = { userId, partyId: Number(partyId) }
      return changeMembership(app.deps, membership, request.body, operatorActor(request))
    },
  )

  app.delete(
    `${MEMBERSHIPS}/:userId/:partyId`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'deleteMembership',
        tags,
        summary: 'End a membership',
        description:
          "Tokens that the user got for the party's installations are refused from the next request on, also when the user joins again.",
        params: MembershipPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { userId, partyId } = request.params
      const membership = { userId, partyId: Number(partyId) }
      await removeMembership(app.deps, membership, operatorActor(request))
      return reply.code(204).send(null)
    },
  )
}
