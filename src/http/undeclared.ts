import type { FastifyRequest, preValidationHookHandler } from 'fastify'
import { z } from 'zod'
import type { App } from './app-type.ts'
import { isBodyless } from './bodies/body-coding.ts'
import { validatorCompiler } from './validation.ts'

const NO_PARAMETERS = z.strictObject({})
/** Clients send `{}` even where nothing is expected. */
const NO_BODY = z.strictObject({}).optional()

/** The query of routes that ignore parameters which they do not know, as sign-ins do. */
export const AnyQuery = z.looseObject({})

/**
 * Refuses what a route of the API does not declare: query parameters where it has none, a body
 * where it takes none. Whoever misspells a parameter is told, and does not get an answer to another
 * question. What a route does declare, its own schemas check.
 */
export function refuseUndeclared(app: App): void {
  app.addHook('onRoute', function refuseUndeclaredOnRoute(route) {
    if (!route.url.startsWith('/v1/')) return
    const { method, url, schema } = route
    const check = (httpPart: 'querystring' | 'body', nothing: z.ZodType) =>
      validatorCompiler({ method: String(method), url, httpPart, schema: nothing })
    const checks: ((request: FastifyRequest) => unknown)[] = []
    if (schema?.querystring === undefined) {
      const validate = check('querystring', NO_PARAMETERS)
      checks.push(({ query }) => validate(query))
    }
    if (schema?.body === undefined && !isBodyless(route)) {
      const validate = check('body', NO_BODY)
      checks.push(({ body }) => validate(body))
    }
    if (checks.length === 0) return
    const refuse: preValidationHookHandler = (request, _reply, done) => {
      for (const find of checks) {
        const { error } = find(request) as { error?: Error }
        if (error !== undefined) {
          done(error)
          return
        }
      }
      done()
    }
    route.preValidation = [refuse, ...[route.preValidation ?? []].flat()]
  })
}
