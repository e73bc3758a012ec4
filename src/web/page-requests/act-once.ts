import type { App } from '../../http/app-type.ts'
import { keptOwner, sendAnswer } from './kept-forms.ts'
import { beginWork, dropWork } from './sent-form-service.ts'
import { visitorOf } from './visitor.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether a form that is sent twice, as by a second click, is acted upon once: both get the
     * answer of the one that came first. For what creates something or shows a secret.
     */
    actsOnce?: boolean
  }
}

/**
 * Acts once upon a form with `actsOnce`, however often it is sent. Registered after the guards of
 * the scope.
 */
export function actOnce(app: App): void {
  app.addHook('preHandler', async (request, reply) => {
    const { sentFormId: id, formOrigin, routeOptions } = request
    if (!routeOptions.config.actsOnce || id === null || formOrigin === null) return
    const form = { id, owner: keptOwner(visitorOf(request)) }
    const answer = await beginWork(app.deps, form)
    if (answer !== undefined) return sendAnswer(request, reply, JSON.parse(answer))
    request.sentForm = form
  })
  // A form that was refused, or has failed, may be sent again.
  app.addHook('onSend', async (request) => {
    const { sentForm } = request
    if (sentForm === null) return
    request.sentForm = null
    await dropWork(app.deps, sentForm)
  })
}
