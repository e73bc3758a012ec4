import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppPath, type App as AppRecord } from '../apps/app-record.ts'
import type { Change } from '../apps/change-kinds.ts'
import { type AppDefinition, requireSameId } from '../apps/definition.ts'
import { createApp, previewChanges, previewCreation, replaceApp } from '../apps/publish-service.ts'
import { readOwnApp } from '../apps/read-service.ts'
import { AppError } from '../errors.ts'
import { developerActor } from '../http/actor.ts'
import type { App } from '../http/app-type.ts'
import { developerOf } from '../http/audience.ts'
import { BODY_LIMIT_BYTES } from '../http/json-body.ts'
import { sendPage } from '../http/pages.ts'
import { visitorShell } from '../http/visitor.ts'
import { revisionOf } from './change-problems.ts'
import { ownAppPath } from './console-frame.ts'
import { type CheckedDefinition, definitionPage } from './definition-page.ts'
import {
  DEFINITION_FIELD,
  definitionProblems,
  definitionText,
  NEW_DEFINITION,
  readDefinition,
} from './definition-text.ts'
import type { FormProblem } from './form-problems.ts'
import { Fields, type FormFields } from './settings-form.ts'

const NEW = '/Developer/Apps/New'
const EDIT = '/Developer/Apps/:appId/Definition'

/** What came of a form: where it leads, or what there is to say about it. */
type Outcome =
  | { kind: 'done'; appId: string }
  | { kind: 'checked'; checked: CheckedDefinition }
  | { kind: 'refused'; status: number; problems: FormProblem[]; refused?: readonly Change[] }

/** The editor of definitions, for new apps and for those that there are. */
export async function definitionRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  const { deps } = app

  app.get(NEW, { schema: { hide: true } }, async (request, reply) =>
    sendEditor(request, reply, { text: NEW_DEFINITION }),
  )

  app.post(
    NEW,
    { bodyLimit: BODY_LIMIT_BYTES, schema: { hide: true, body: Fields } },
    async (request, reply) => {
      const text = typed(request.body)
      const outcome = await attempt(text, async (definition) => {
        if (request.body.get('do') !== 'save') {
          await previewCreation(deps, definition)
          return { kind: 'checked', checked: { kind: 'new' } }
        }
        const created = await createApp(deps, developerActor(request), definition)
        return { kind: 'done', appId: created.app.id }
      })
      if (outcome.kind === 'done') {
        return reply.redirect(`${ownAppPath(outcome.appId)}?done=created`, 303)
      }
      return sendEditor(request, reply, { text, outcome })
    },
  )

  app.get(EDIT, { schema: { hide: true, params: AppPath } }, async (request, reply) => {
    const own = await readOwnApp(deps, developerOf(request).developerId, request.params.appId)
    return sendEditor(request, reply, { own, text: definitionText(own.app) })
  })

  app.post(
    EDIT,
    { bodyLimit: BODY_LIMIT_BYTES, schema: { hide: true, params: AppPath, body: Fields } },
    async (request, reply) => {
      const author = developerActor(request)
      const own = await readOwnApp(deps, author.developerId, request.params.appId)
      const text = typed(request.body)
      const revision = revisionOf(request.body)
      const outcome = await attempt(text, async (definition) => {
        requireSameId(own.app.id, definition.id)
        if (request.body.get('do') !== 'save') {
          const found = await previewChanges(deps, author, definition, revision)
          const checked = { kind: 'changes', version: definition.version, ...found } as const
          return { kind: 'checked', checked }
        }
        await replaceApp(deps, author, definition, revision)
        return { kind: 'done', appId: own.app.id }
      })
      if (outcome.kind === 'done') {
        return reply.redirect(`${ownAppPath(outcome.appId)}?done=saved`, 303)
      }
      return sendEditor(request, reply, { own, text, outcome })
    },
  )

  function sendEditor(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      own,
      text,
      outcome,
    }: { own?: { app: AppRecord; revision: number }; text: string; outcome?: Outcome },
  ) {
    if (outcome?.kind === 'refused') reply.code(outcome.status)
    return sendPage(
      reply,
      definitionPage({
        ...visitorShell(request, reply),
        assetVersion,
        app: own?.app,
        revision: own?.revision,
        text,
        problems: outcome?.kind === 'refused' ? outcome.problems : [],
        refused: outcome?.kind === 'refused' ? outcome.refused : undefined,
        checked: outcome?.kind === 'checked' ? outcome.checked : undefined,
      }),
    )
  }
}

function typed(fields: FormFields): string {
  return (fields.get(DEFINITION_FIELD) ?? '').replaceAll('\r\n', '\n')
}

/** Does what was asked with a definition, or tells what is wrong with it. */
async function attempt(
  text: string,
  work: (definition: AppDefinition) => Promise<Outcome>,
): Promise<Outcome> {
  const read = readDefinition(text)
  if (!read.ok) return { kind: 'refused', status: 422, problems: read.problems }
  try {
    return await work(read.definition)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, code, message, options } = error
    if (code === 'precondition_failed') {
      const text =
        'The app has changed since this page was opened. What you typed is kept; sent again, it takes the place of the other change.'
      return { kind: 'refused', status, problems: [{ field: undefined, text }] }
    }
    if (!EXPECTED.has(code)) throw error
    const errors = options.errors ?? []
    const problems = definitionProblems(
      errors.length > 0 ? errors : [{ pointer: '', detail: message }],
      text,
    )
    const refused = (options.members?.changes ?? []) as readonly Change[]
    return { kind: 'refused', status, problems, refused }
  }
}

/** What the services refuse a definition for. */
const EXPECTED: ReadonlySet<string> = new Set([
  'unprocessable',
  'already_exists',
  'version_required',
  'version_used',
])
