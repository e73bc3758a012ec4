import { randomUUID } from 'node:crypto'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import type { SharedMarketplace } from './app.ts'
import { authorWith, draft, newId } from './apps.ts'
import { type Answer, call } from './client.ts'
import { developerCalls } from './customer.ts'
import { fanOutAll } from './fan-out.ts'

const EVENTS = '/v1/Developer/Events'
const CONSUMERS = '/v1/Developer/EventConsumers'

/** A new developer with an empty event log, signed in, and every call on the log as a short one. */
export async function newEventReader(market: SharedMarketplace) {
  const { deps } = market
  const { id: developerId, ...made } = await createDeveloper(deps, { name: `Dev ${randomUUID()}` })
  const { clientId, password } = made
  const signedIn = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
  const token: string = signedIn.body.token
  const number = () => fanOutAll(deps, developerId)
  const get = (query = '') => call(market, 'GET', `${EVENTS}${query}`, { token })
  return {
    developerId,
    token,
    developer: authorWith(market, token),
    installations: developerCalls(market, token),
    /** Gives the events that were written so far their positions. */
    number,
    get,
    /** The events, after all that were written so far got their positions. */
    async read(query = '') {
      await number()
      const { status, text, body } = await get(query)
      if (status !== 200) throw new Error(text)
      return body
    },
    /** Follows the link of an answer. */
    follow: (answer: Answer) => get(new URL(nextOf(answer)).search),
    /** Writes as many events of an app straight in the database, without any change. */
    write: (appId: string, count: number) =>
      deps.pool.query(
        `INSERT INTO events (developer_id, app_id, type)
         SELECT $1, $2, 'app.listed' FROM generate_series(1, $3::int)`,
        [developerId, appId, count],
      ),
    /** A new app that is not listed. */
    async newApp(): Promise<string> {
      const { status, text, body } = await authorWith(market, token).create(draft(newId()))
      if (status !== 201) throw new Error(text)
      return body.id
    },
    consumers: () => call(market, 'GET', CONSUMERS, { token }),
    move: (name: string, position: unknown) =>
      call(market, 'PUT', `${CONSUMERS}/${name}`, { token, body: { position } }),
    remove: (name: string) => call(market, 'DELETE', `${CONSUMERS}/${name}`, { token }),
  }
}
export type EventReader = Awaited<ReturnType<typeof newEventReader>>

/** Where an answer says to go on. */
export function nextOf({ headers }: Pick<Answer, 'headers'>): string {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
  if (url === undefined) throw new Error('the answer has no link')
  return url
}

/** The positions of events. */
export function positionsOf(events: { position: number }[]): number[] {
  return events.map(({ position }) => position)
}

/** 1, 2, ... up to a number. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
