import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { fewAtOnce } from '../../../identity/guards/few-at-once.ts'
import { parseDefinitionInTicks } from '../../../marketplace/apps/check-definition.ts'
import { createApp, previewCreation } from '../../../marketplace/apps/publish-service.ts'
import { nextStep, readAttempt } from '../../requests/answers.ts'
import { takeForm } from '../../requests/form-work.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { type FormFields, multilineText } from '../../shared/forms/settings-form.ts'
import { APP_NOTICES, GUIDE_PATH, ownAppPath } from '../console-frame.ts'
import { DEFINITION_FIELD, readJson } from './definition-text.ts'
import { newAppGuidePage } from './guide-page.ts'
import {
  EMPTY_DEFINITION,
  GUIDE_STEP_FIELD,
  type GuideStep,
  guideFields,
  guideProblem,
  guideStep,
  stepBeside,
  writeStep,
} from './guide-steps.ts'
import type { Part } from './part-fields.ts'

const EDITOR = '/Developer/Apps/New'

/** Four short forms that make a new app. The draft is the text that the editor has, too. */
export async function guideRoutes(app: App) {
  const { deps } = app
  app.addHook('preHandler', fewAtOnce)

  app.get(GUIDE_PATH, { schema: { hide: true } }, async (request, reply) => {
    const again = readAttempt(request, reply)
    const definition = draftIn(again?.typed) ?? structuredClone(EMPTY_DEFINITION)
    const step = guideStep(again?.typed ?? new Map())
    const { problems = [], typed = new Map() } = again ?? {}
    const filled = problems.length > 0 ? typed : guideFields(step, definition)
    const attempt = { problems, typed: filled }
    const shell = visitorShell(request, reply)
    return sendPage(
      reply,
      newAppGuidePage({ ...shell, step, definition, isKept: typed.has(DEFINITION_FIELD), attempt }),
    )
  })

  takeForm(app, {
    path: GUIDE_PATH,
    bodyLimit: BODY_LIMIT_BYTES,
    refused: [],
    async submit(request, fields, _params, reply) {
      const asked = fields.get('do')
      const step = guideStep(fields)
      const definition = draftIn(fields) ?? structuredClone(EMPTY_DEFINITION)
      const written = structuredClone(definition)
      const found = writeStep(step, fields, written)
      const text = JSON.stringify(found.length > 0 ? definition : written, null, 2)
      const show = async (next: Parameters<typeof nextStep>[2]) => {
        await nextStep(request, reply, next)
        return undefined
      }
      if (asked === 'json') {
        const shown: FormFields = new Map([
          [DEFINITION_FIELD, text],
          ['do', 'moved'],
        ])
        return show({ path: EDITOR, fields: shown })
      }
      const next = asked === 'add' ? step : stepBeside(step, asked === 'back' ? -1 : 1)
      if (asked === 'back') return show({ fields: draft(next ?? step, text) })
      const problems = found.map((problem) => ({ ...problem, step }))
      const outcome = problems.length > 0 ? { problems } : await take(request, written, next)
      if (outcome.created !== undefined) {
        const { id, name } = outcome.created
        return { path: ownAppPath(id), text: APP_NOTICES.created(name) }
      }
      // Before the last form, only its own problems keep from the next one.
      const first = outcome.problems.find((one) => next === undefined || one.step === step)
      if (first === undefined) return show({ fields: draft(next ?? step, text) })
      // Another form than the one that was sent shows what the draft has.
      const typed = first.step === step ? fields : guideFields(first.step, written)
      return show({
        fields: new Map([...typed, ...draft(first.step, text)]),
        problems: outcome.problems.filter((one) => one.step === first.step),
      })
    },
  })

  /** Creates the app after the last form; before, looks what would be in the way. */
  async function take(request: FastifyRequest, definition: Part, next: GuideStep | undefined) {
    const parsed = await parseDefinitionInTicks(definition)
    if (!parsed.ok) {
      const problems = parsed.errors.map(guideProblem)
      // Without a name, none could be made of it.
      const isUnnamed = problems.some(({ field }) => field === 'name')
      return { problems: problems.filter(({ field }) => !isUnnamed || field !== 'id') }
    }
    try {
      if (next === undefined) {
        const { app: own } = await createApp(deps, developerActor(request), parsed.definition)
        return { problems: [], created: own }
      }
      await previewCreation(deps, parsed.definition)
      return { problems: [] }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'already_exists') throw error
      return { problems: (error.options.errors ?? []).map(guideProblem) }
    }
  }
}

function draft(step: GuideStep, text: string): FormFields {
  return new Map([
    [GUIDE_STEP_FIELD, step],
    [DEFINITION_FIELD, text],
  ])
}

/** The draft that goes along with a form, if it is one. */
function draftIn(fields: FormFields | undefined): Part | undefined {
  if (!fields?.has(DEFINITION_FIELD)) return undefined
  const read = readJson(multilineText(fields, DEFINITION_FIELD))
  return read.ok ? read.value : undefined
}
