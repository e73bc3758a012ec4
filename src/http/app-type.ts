import type { ZodTypeProvider } from '@fastify/type-provider-zod'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Deps } from '../deps.ts'
import type { Audience, RouteTable } from './route-table.ts'

/** The Fastify instance as features see it. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

declare module 'fastify' {
  interface FastifyInstance {
    deps: Deps
    /** Every route with who may call it. */
    routes: RouteTable
  }
  interface FastifyContextConfig {
    /** Who may call the route; set once on the scope. */
    audience?: Audience
  }
}
