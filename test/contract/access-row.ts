import type { Role, Things } from './access-cast.ts'

type Answer = { status: number; code: string }

/** What a route is asked: a request that whoever may do it can do. */
export type Row = {
  /** Everybody else is refused. */
  allowed: readonly Role[]
  /** With the ids of A's things in it. */
  path: (things: Things) => string
  body?: (things: Things) => unknown
  headers?: Record<string, string>
  /** What those of the same kind get whose thing it is not; 404 unless given. */
  refusal?: number
  /** What those it is for get where that is an answer of refusals, too. */
  answer?: Answer
  /** What some of those it is for get instead, because of what they have. */
  answers?: Partial<Record<Role, Answer>>
  /** What some of the same kind get instead, because of their role. */
  refusals?: Partial<Record<Role, number>>
}

/** `METHOD url` of a route, with what differs from the usual. */
export type Entry = string | [route: string, more: Partial<Omit<Row, 'allowed'>>]
