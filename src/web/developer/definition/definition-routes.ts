import type { FastifyReply, FastifyRequest } from 'fastify'
import { nextTick } from '../../../base/fair-share/next-tick.ts'
import { AppPath } from '../../../base/values/app-path.ts'
import { AppError, ERROR_CODES } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { sendDocument } from '../../../http/bodies/send-document.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { fewAtOnce } from '../../../identity/guards/few-at-once.ts'
import type { AppRecord } from '../../../marketplace/apps/app-record.ts'
import { type AppDefinition, requireSameId } from '../../../marketplace/apps/definition.ts'
import { countOnVersion } from '../../../marketplace/apps/installation-counts-service.ts'
import {
  createApp,
  previewChanges,
  previewCreation,
  replaceApp,
} from '../../../marketplace/apps/publish-service.ts'
import { readOwnApp, wasDeleted } from '../../../marketplace/apps/read-apps-service.ts'
import type { Change } from '../../../marketplace/apps/versions/change-kinds.ts'
import { nextStep, readAttempt } from '../../requests/answers.ts'
import { takeForm } from '../../requests/form-work.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { isConflict, revisionOf } from '../../shared/forms/change-problems.ts'
import type { Refusal } from '../../shared/forms/refusal.ts'
import { type FormFields, multilineText } from '../../shared/forms/settings-form.ts'
import { APP_NOTICES, ownAppPath } from '../console-frame.ts'
import { type CheckedDefinition, definitionPage } from './definition-page.ts'
import { takeStep, wasStep, writeOpenPart } from './definition-steps.ts'
import {
  DEFINITION_FIELD,
  definitionProblems,
  definitionText,
  NEW_DEFINITION,
  type ReadDefinition,
  readDefinition,
  readJson,
  UNSHOWN_FIELD,
} from './definition-text.ts'
import { previewView } from './preview-view.ts'

const NEW = '/Developer/Apps/New'
const EDIT = '/Developer/Apps/:appId/Definition'
const EDITED = {
  bodyLimit: BODY_LIMIT_BYTES,
  config: { formKind: 'wizard' },
  // What is wrong with a definition is told by its own words.
  refused: [],
} as const

/** The editor of definitions, for new apps and for those that there are. */
export async function definitionRoutes(app: App) {
  const { deps } = app

  app.addHook('preHandler', fewAtOnce)

  app.get(NEW, { schema: { hide: true } }, async (request, reply) =>
    sendEditor(request, reply, undefined, async (definition) => {
      await previewCreation(deps, definition)
      return { kind: 'new' }
    }),
  )

  takeForm(app, {
    ...EDITED,
    path: NEW,
    async submit(request, _typed, _params, reply) {
      if (await showUnlessSaved(request, reply)) return undefined
      const text = multilineText(request.body, DEFINITION_FIELD)
      const { done, refusal } = await attempt(await readDefinition(text), text, (definition) =>
        createApp(deps, developerActor(request), definition),
      )
      if (refusal !== undefined) return refusal
      return { path: ownAppPath(done.app.id), text: APP_NOTICES.created(done.app.name) }
    },
  })

  app.get(EDIT, { schema: { hide: true, params: AppPath } }, async (request, reply) => {
    const author = developerActor(request)
    const own = await readOwnApp(deps, author.developerId, request.params.appId)
    return sendEditor(request, reply, own, async (definition, revision) => {
      requireSameId(own.app.id, definition.id)
      const found = await previewChanges(deps, author, definition, [revision])
      return { kind: 'changes', version: definition.version, ...found }
    })
  })

  app.get(`${EDIT}/File`, { schema: { hide: true, params: AppPath } }, async (request, reply) => {
    const { developerId } = developerActor(request)
    const { app: own } = await readOwnApp(deps, developerId, request.params.appId)
    return sendDocument(reply, {
      fileName: `${own.id}.json`,
      mediaType: 'application/json',
      read: async () => Buffer.from(definitionText(own)),
    })
  })

  takeForm(app, {
    ...EDITED,
    path: EDIT,
    params: AppPath,
    async submit(request, typed, { appId }, reply) {
      const author = developerActor(request)
      if (await wasDeleted(deps, author.developerId, appId)) {
        const problem = { field: undefined, text: APP_NOTICES.deletedMeanwhile(appId) }
        await nextStep(request, reply, { path: NEW, fields: typed, problems: [problem] })
        return undefined
      }
      const own = await readOwnApp(deps, author.developerId, appId)
      if (typed.has(UNSHOWN_FIELD) && !typed.get(DEFINITION_FIELD)) {
        request.body = new Map([...typed, [DEFINITION_FIELD, definitionText(own.app)]])
      }
      if (await showUnlessSaved(request, reply)) return undefined
      const text = multilineText(request.body, DEFINITION_FIELD)
      const { done, refusal } = await attempt(
        await readDefinition(text),
        text,
        async (definition) => {
          requireSameId(own.app.id, definition.id)
          return replaceApp(deps, author, definition, [revisionOf(request.body)])
        },
      )
      if (refusal !== undefined) return refusal
      return { path: ownAppPath(own.app.id), text: await savedNotice(own.app, done.app) }
    },
  })

  async function savedNotice(before: AppRecord, after: AppRecord): Promise<string> {
    if (before.version === after.version) return APP_NOTICES.saved(after.name)
    const staying = await countOnVersion(deps, after.id, before.version)
    return APP_NOTICES.published(after.version, before.version, staying)
  }

  /**
   * A check changes nothing: it is made whenever its page is shown. Each step with a large
   * definition has a tick of the event loop.
   */
  async function sendEditor(
    request: FastifyRequest,
    reply: FastifyReply,
    own: { app: AppRecord; revision: number } | undefined,
    check: (definition: AppDefinition, revision: number) => Promise<CheckedDefinition>,
  ) {
    const again = readAttempt(request, reply)
    const shell = { ...visitorShell(request, reply), app: own?.app }
    if (again === undefined) {
      const text = own === undefined ? NEW_DEFINITION : definitionText(own.app)
      const json = readJson(text)
      return sendPage(reply, definitionPage({ ...shell, revision: own?.revision, text, json }))
    }
    const text = multilineText(again.typed, DEFINITION_FIELD)
    const isRefused = again.problems.length > 0
    const isChecked = (!isRefused && !wasStep(again.typed)) || again.status === IN_THE_WAY
    const isPreviewed = again.typed.get('do') === 'preview'
    const json = readJson(text)
    const read = isChecked || isPreviewed ? await readDefinition(text, json) : undefined
    const found =
      isChecked && read !== undefined
        ? await attempt(read, text, (definition) => check(definition, revisionOf(again.typed)))
        : undefined
    await nextTick()
    const preview = isPreviewed && read?.ok ? previewView(read.definition) : undefined
    await nextTick()
    const { status, problems } = isRefused ? again : (found?.refusal ?? again)
    return sendPage(
      reply.code(status),
      definitionPage({
        ...shell,
        // Sent again after a conflict, it takes the place of the other change.
        revision: isConflict(status) ? own?.revision : revisionOf(again.typed),
        text,
        json,
        problems,
        refused: found?.refusal?.changes ?? (isRefused ? breaking(found?.done) : []),
        checked: isRefused ? undefined : found?.done,
        typed: again.typed,
        preview,
      }),
    )
  }
}

function breaking(found: CheckedDefinition | undefined): readonly Change[] {
  return found?.kind === 'changes' ? found.changes.filter((change) => change.breaking) : []
}

/**
 * Shows the editor again, with what a button beside the text has done, unless the definition is to
 * be saved. What is saved, checked or previewed has the part whose form is open.
 *
 * @returns whether it has answered
 */
async function showUnlessSaved(
  request: FastifyRequest<{ Body: FormFields }>,
  reply: FastifyReply,
): Promise<boolean> {
  const step = takeStep(request.body)
  const shown = step ?? writeOpenPart(request.body)
  if (step === undefined && shown.problems.length === 0) {
    request.body = shown.fields
    if (isSave(request.body)) return false
    await nextStep(request, reply)
    return true
  }
  const own = [...shown.fields].filter(([name]) => !name.startsWith('_'))
  await nextStep(request, reply, { fields: new Map(own), problems: shown.problems })
  return true
}

function isSave(fields: FormFields): boolean {
  return fields.get('do') === 'save'
}

/** What is wrong with a definition; the changes are those that stand in the way of saving it. */
type DefinitionRefusal = Refusal & { changes: readonly Change[] }
type Outcome<Done> = { done: Done; refusal?: never } | { done?: never; refusal: DefinitionRefusal }

/** Does what was asked with a definition, or tells what is wrong with it. */
async function attempt<Done>(
  read: ReadDefinition,
  text: string,
  work: (definition: AppDefinition) => Promise<Done>,
): Promise<Outcome<Done>> {
  if (!read.ok) return { refusal: { status: 422, problems: read.problems, changes: [] } }
  try {
    return { done: await work(read.definition) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { status, code, message, options } = error
    if (code === 'precondition_failed') {
      const text =
        'The app has changed since you opened this page. Your text is kept. Save again to replace the other change.'
      return { refusal: { status, problems: [{ field: undefined, text }], changes: [] } }
    }
    if (!EXPECTED.has(code)) throw error
    const errors = options.errors ?? []
    const problems = definitionProblems(
      errors.length > 0 ? errors : [{ pointer: '', detail: message }],
      text,
    )
    const changes = (options.members?.changes ?? []) as readonly Change[]
    return { refusal: { status, problems, changes } }
  }
}

/** What the services refuse a definition for. */
const EXPECTED: ReadonlySet<string> = new Set([
  'unprocessable',
  'already_exists',
  'version_required',
  'version_used',
])
const IN_THE_WAY = ERROR_CODES.version_required.status
