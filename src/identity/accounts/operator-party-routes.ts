import { z } from 'zod'
import {
  ConnectionPath,
  nameSearch,
  PartyPath,
  partyFilter,
  suspendedFilter,
} from '../../base/values/operator-paths.ts'
import { PartyType } from '../../base/values/party-type.ts'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { operatorActor } from '../guards/actor.ts'
import { createConnection, listConnections, removeConnection } from './connections-service.ts'
import { Connection, PartyRecord } from './operator-records.ts'
import { ConnectionRequest, PartyChange, PartyRequest } from './operator-requests.ts'
import { changeParty, createParty, listParties, readParty } from './parties-service.ts'

const tags = ['Operator']
const PARTIES = '/v1/Operator/Parties'
const CONNECTIONS = '/v1/Operator/Connections'

/** What an operator does with parties and the connections between them. */
export async function operatorPartyRoutes(app: App) {
  app.post(
    PARTIES,
    {
      schema: {
        operationId: 'createParty',
        tags,
        summary: 'Create a party',
        description:
          'A Buyer or a Seller without users: memberships say who acts for it. Names may be alike.',
        body: PartyRequest,
        response: { 201: PartyRecord },
        answerHeaders: ['Location'],
      },
    },
    async (request, reply) => {
      const made = await createParty(app.deps, request.body, operatorActor(request))
      reply.code(201).header('location', `${PARTIES}/${made.id}`)
      return made
    },
  )

  app.get(
    PARTIES,
    {
      schema: {
        operationId: 'listParties',
        tags,
        summary: 'List parties',
        description: 'In the order of their ids, the sandbox parties of developers included.',
        querystring: z.strictObject({
          q: nameSearch,
          type: PartyType.optional().describe('Only of this type.'),
          suspended: suspendedFilter,
          ...PageQuery,
        }),
        response: { 200: z.array(PartyRecord) },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['parties'], (page) => listParties(app.deps, request.query, page)),
  )

  app.get(
    `${PARTIES}/:id`,
    {
      schema: {
        operationId: 'readParty',
        tags,
        summary: 'Read a party',
        description: 'The party with its type, and whether it is suspended.',
        params: PartyPath,
        response: { 200: PartyRecord },
      },
    },
    (request) => readParty(app.deps, Number(request.params.id)),
  )

  app.patch(
    `${PARTIES}/:id`,
    {
      schema: {
        operationId: 'changeParty',
        tags,
        summary: 'Rename a party',
        description: 'Its id, its type and everything that belongs to it stay.',
        params: PartyPath,
        body: PartyChange,
        response: { 200: PartyRecord },
      },
    },
    (request) =>
      changeParty(app.deps, Number(request.params.id), request.body, operatorActor(request)),
  )

  app.post(
    CONNECTIONS,
    {
      schema: {
        operationId: 'createConnection',
        tags,
        summary: 'Connect a Buyer with a Seller',
        description: 'The Buyer sees the products of the Seller from then on.',
        body: ConnectionRequest,
        response: { 201: Connection },
        problems: ['already_exists'],
      },
    },
    async (request, reply) => {
      const made = await createConnection(app.deps, request.body, operatorActor(request))
      reply.code(201)
      return made
    },
  )

  app.get(
    CONNECTIONS,
    {
      schema: {
        operationId: 'listConnections',
        tags,
        summary: 'List connections',
        description: 'Which Buyer sees the products of which Seller, in the order of their ids.',
        querystring: z.strictObject({
          buyerId: partyFilter('Only of this Buyer.'),
          sellerId: partyFilter('Only of this Seller.'),
          ...PageQuery,
        }),
        response: { 200: z.array(Connection) },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['connections'], (page) =>
        listConnections(app.deps, request.query, page),
      ),
  )

  app.delete(
    `${CONNECTIONS}/:buyerId/:sellerId`,
    {
      schema: {
        operationId: 'deleteConnection',
        tags,
        summary: 'Disconnect a Buyer from a Seller',
        description:
          'From the next request on, apps of the Buyer no longer see the products of the Seller.',
        params: ConnectionPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { buyerId, sellerId } = request.params
      const connection = { buyerId: Number(buyerId), sellerId: Number(sellerId) }
      await removeConnection(app.deps, connection, operatorActor(request))
      return reply.code(204).send(null)
    },
  )
}
