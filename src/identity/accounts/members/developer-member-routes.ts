import { z } from 'zod'
import { DeveloperPath } from '../../../base/values/operator-paths.ts'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { developerActor, operatorActor } from '../../guards/actor.ts'
import { developerOf } from '../../guards/audience.ts'
import {
  DeveloperMember,
  DeveloperMemberChange,
  DeveloperMemberPath,
  DeveloperMemberRequest,
  OwnDeveloperMemberPath,
} from './developer-member.ts'
import {
  addDeveloperMember,
  changeDeveloperMember,
  listDeveloperMembers,
  removeDeveloperMember,
} from './developer-members-service.ts'

const OWN = '/v1/Developer/Members'
const ALL = '/v1/Operator/Developers/:id/Members'
const COUNTS = 'It takes effect at the next request, also for open sessions.'

/** How a developer's programs manage its people. */
export async function ownDeveloperMemberRoutes(app: App) {
  const tags = ['Developer']
  app.get(
    OWN,
    {
      schema: {
        operationId: 'listDeveloperMembers',
        tags,
        summary: 'List the people who work for you',
        description: 'Those who sign in to the developer console with a login of their own.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(DeveloperMember) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      return answerPage(request, reply, ['developer members', developerId], (page) =>
        listDeveloperMembers(app.deps, developerId, page),
      )
    },
  )

  app.patch(
    `${OWN}/:userId`,
    {
      schema: {
        operationId: 'changeDeveloperMember',
        tags,
        summary: 'Give a person another role',
        description: `${COUNTS} The last owner who can sign in stays one: \`conflict\`.`,
        params: OwnDeveloperMemberPath,
        body: DeveloperMemberChange,
        response: { 200: DeveloperMember },
        problems: ['conflict', 'email_not_proved'],
      },
    },
    (request) => {
      const { developerId, actor } = developerActor(request)
      const member = { developerId, userId: request.params.userId }
      const trustsUnproved = app.deps.config.smtpUrl === undefined
      const change = { actor, keepsAnOwner: true, trustsUnproved }
      return changeDeveloperMember(app.deps, member, request.body, change)
    },
  )

  app.delete(
    `${OWN}/:userId`,
    {
      schema: {
        operationId: 'deleteDeveloperMember',
        tags,
        summary: 'Remove a person',
        description:
          'The developer console and the test tokens that the person made are refused from the ' +
          'next request on. The last owner who can sign in stays: `conflict`.',
        params: OwnDeveloperMemberPath,
        response: { 204: z.null() },
        problems: ['conflict'],
      },
    },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const member = { developerId, userId: request.params.userId }
      await removeDeveloperMember(app.deps, member, { actor, keepsAnOwner: true })
      return reply.code(204).send(null)
    },
  )
}

/** The people of a developer, for operators: they may leave a developer without an owner. */
export async function operatorDeveloperMemberRoutes(app: App) {
  const tags = ['Operator']
  app.post(
    ALL,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'createMemberOfDeveloper',
        tags,
        summary: 'Add a person to a developer',
        description:
          'The user opens the developer console with the own sign-in. At most 50 people.',
        params: DeveloperPath,
        body: DeveloperMemberRequest,
        response: { 201: DeveloperMember },
        problems: ['already_exists', 'conflict', 'email_not_proved'],
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const made = await addDeveloperMember(app.deps, id, request.body, operatorActor(request))
      reply.code(201)
      return made
    },
  )

  app.get(
    ALL,
    {
      schema: {
        operationId: 'listMembersOfDeveloper',
        tags,
        summary: 'List the people of a developer',
        description: 'Those who sign in to the developer console with a login of their own.',
        params: DeveloperPath,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(DeveloperMember) },
      },
    },
    (request, reply) => {
      const { id } = request.params
      return answerPage(request, reply, ['members of developer', id], (page) =>
        listDeveloperMembers(app.deps, id, page),
      )
    },
  )

  app.patch(
    `${ALL}/:userId`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'changeMemberOfDeveloper',
        tags,
        summary: 'Give a person of a developer another role',
        description: COUNTS,
        params: DeveloperMemberPath,
        body: DeveloperMemberChange,
        response: { 200: DeveloperMember },
        problems: ['email_not_proved'],
      },
    },
    (request) => {
      const { id: developerId, userId } = request.params
      const change = { actor: operatorActor(request), keepsAnOwner: false }
      return changeDeveloperMember(app.deps, { developerId, userId }, request.body, change)
    },
  )

  app.delete(
    `${ALL}/:userId`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'deleteMemberOfDeveloper',
        tags,
        summary: 'Remove a person from a developer',
        description:
          'You may remove the last owner: nobody manages the people until you add or invite another.',
        params: DeveloperMemberPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id: developerId, userId } = request.params
      const change = { actor: operatorActor(request), keepsAnOwner: false }
      await removeDeveloperMember(app.deps, { developerId, userId }, change)
      return reply.code(204).send(null)
    },
  )
}
