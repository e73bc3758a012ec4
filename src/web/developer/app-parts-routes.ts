import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppPath } from '../../base/values/app-path.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendDocument } from '../../http/bodies/send-document.ts'
import { sendPage } from '../../http/send-page.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import { type AppRecord, definedSettings } from '../../marketplace/apps/app-record.ts'
import { VersionText } from '../../marketplace/apps/definition.ts'
import { readOwnApp } from '../../marketplace/apps/read-apps-service.ts'
import { profileOf } from '../../marketplace/apps/settings/definitions.ts'
import { latestTerms } from '../../marketplace/apps/terms/read-terms-service.ts'
import { putTerms, removeTerms } from '../../marketplace/apps/terms/terms-service.ts'
import { listInstallations } from '../../marketplace/installations/developer-installations-service.ts'
import { installInSandbox } from '../../marketplace/installations/sandbox-service.ts'
import { readAttempt, redirectDone, refuse } from '../requests/kept-forms.ts'
import { visitorShell } from '../requests/visitor.ts'
import { isConflict } from '../shared/forms/change-problems.ts'
import { type FormProblem, settingProblems } from '../shared/forms/form-problems.ts'
import { SHOWN_TEXT_MAX_LENGTH } from '../shared/forms/long-text.ts'
import { type Refusal, refusalOf } from '../shared/forms/refusal.ts'
import {
  Fields,
  type FormFields,
  multilineText,
  settingsInput,
} from '../shared/forms/settings-form.ts'
import { APP_NOTICES, ownAppPath, ownInstallationPath } from './console-frame.ts'
import { sandboxChoicePage, sandboxFormPage } from './sandbox/sandbox-page.ts'
import { ownTermsPage, SEEN_FIELD, TYPED_TERMS, type TypedTerms } from './terms-page.ts'

const TERMS = '/Developer/Apps/:appId/Terms'
const SANDBOX = '/Developer/Apps/:appId/Sandbox'
const getSchema = { hide: true, params: AppPath, querystring: Fields }
const postSchema = { hide: true, params: AppPath, body: Fields }

/** The terms document of a developer's app, and the app in the developer's sandbox. */
export async function ownAppPartsRoutes(app: App) {
  const { deps } = app
  const read = async (request: FastifyRequest, appId: string) =>
    (await readOwnApp(deps, developerOf(request).developerId, appId)).app

  app.get(TERMS, { schema: getSchema }, async (request, reply) =>
    sendTerms(request, reply, await read(request, request.params.appId)),
  )

  app.get(`${TERMS}/Document`, { schema: getSchema }, async (request, reply) => {
    const { developerId } = developerOf(request)
    return sendDocument(reply, await latestTerms(deps, request.params.appId, { developerId }))
  })

  const config = { actsOnce: true, formKind: 'secret' } as const
  const once = { bodyLimit: BODY_LIMIT_BYTES, config, schema: postSchema }
  app.post(TERMS, once, async (request, reply) => {
    const own = await read(request, request.params.appId)
    const author = developerActor(request)
    const fields = request.body
    const removes = fields.get('do') === 'remove'
    const versionField = removes ? 'removalVersion' : 'version'
    const version = fields.get(versionField)?.trim() || undefined
    const seen = fields.get(SEEN_FIELD)
    const expected = seen === undefined ? undefined : [seen]
    try {
      requireVersionText(version)
      if (removes) {
        // A second click finds it done.
        if (own.termsDocument !== null) {
          await removeTerms(deps, author, { appId: own.id, version, expected })
        }
        return redirectDone(request, reply, ownAppPath(own.id), APP_NOTICES.noTerms(own.name))
      }
      await putTerms(deps, author, {
        appId: own.id,
        mediaType: mediaTypeOf(fields),
        content: documentIn(fields, await typedTerms(request, own)),
        version,
        expected,
      })
    } catch (error) {
      return refuse(request, reply, termsRefusal(error, versionField))
    }
    return redirectDone(request, reply, ownAppPath(own.id), APP_NOTICES.terms(own.name))
  })

  app.get(SANDBOX, { schema: getSchema }, async (request, reply) =>
    sendSandbox(request, reply, await read(request, request.params.appId)),
  )

  app.post(SANDBOX, once, async (request, reply) => {
    const own = await read(request, request.params.appId)
    const fields = request.body
    const option = chosen(own, fields)
    if (option === undefined) {
      return refuse(request, reply, {
        problems: [{ field: undefined, text: 'Choose a purchase option.' }],
      })
    }
    const profile = profileOf(definedSettings(own), option.id)
    const given = Object.entries(settingsInput(profile, fields))
    try {
      const id = await installInSandbox(deps, developerActor(request), own.id, {
        purchaseOptionId: option.id,
        // What is left out gets a sample value.
        userSettings: Object.fromEntries(given.filter(([, value]) => value !== '')),
      })
      return redirectDone(request, reply, ownInstallationPath(id), APP_NOTICES.sandbox(own.name))
    } catch (error) {
      const refusal = refusalOf(error, ['unprocessable'], ({ message, options }) => {
        const found = settingProblems(profile, options.errors ?? [], '/userSettings')
        return found.length > 0 ? found : [{ field: undefined, text: message }]
      })
      return refuse(request, reply, refusal)
    }
  })

  async function sendTerms(request: FastifyRequest, reply: FastifyReply, own: AppRecord) {
    const { problems = [], typed, status = 200 } = readAttempt(request, reply) ?? {}
    const stored = await typedTerms(request, own)
    const now = [SEEN_FIELD, own.termsDocument?.sha256 ?? ''] as const
    const fields = new Map([
      ...(stored ? storedFields(stored) : []),
      now,
      ...(typed ?? []),
      // Sent again after a conflict, it takes the place of the other document.
      ...(isConflict(status) ? [now] : []),
    ])
    const input = { ...visitorShell(request, reply), app: own, fields, problems }
    return sendPage(reply, ownTermsPage(input))
  }

  /** The document that there is, if it can be shown in a field. */
  async function typedTerms(request: FastifyRequest, own: AppRecord) {
    const { termsDocument } = own
    if (termsDocument === null || !isTyped(termsDocument.mediaType)) return undefined
    if (termsDocument.size > SHOWN_TEXT_MAX_LENGTH) return undefined
    const { developerId } = developerOf(request)
    const { mediaType, read } = await latestTerms(deps, own.id, { developerId })
    return { mediaType, content: await read() }
  }

  async function sendSandbox(
    request: FastifyRequest<{ Querystring: FormFields }>,
    reply: FastifyReply,
    own: AppRecord,
  ) {
    const { problems = [], typed } = readAttempt(request, reply) ?? {}
    const { entries } = await listInstallations(
      deps,
      developerOf(request).developerId,
      { appId: own.id, partyType: 'None' },
      { after: undefined, limit: 1 },
    )
    const shell = visitorShell(request, reply)
    const input = { ...shell, app: own, installationId: entries[0]?.id, problems }
    const option = chosen(own, typed ?? request.query)
    if (option === undefined) return sendPage(reply, sandboxChoicePage(input))
    const profile = profileOf(definedSettings(own), option.id)
    return sendPage(reply, sandboxFormPage({ ...input, option, profile, typed }))
  }
}

/** The option that an address or a form names; the only one goes without saying. */
function chosen({ purchaseOptions }: AppRecord, fields: FormFields) {
  const wanted = fields.get('purchaseOptionId')
  if (wanted === undefined && purchaseOptions.length === 1) return purchaseOptions[0]
  return purchaseOptions.find(({ id }) => id === wanted)
}

type StoredTerms = { mediaType: string; content: Buffer }

function storedFields({ mediaType, content }: StoredTerms): [string, string][] {
  return [
    ['mediaType', mediaType],
    ['document', content.toString('utf8')],
  ]
}

/** The document that was typed: the stored one, byte by byte, when a browser shows both alike. */
function documentIn(fields: FormFields, stored: StoredTerms | undefined): Uint8Array {
  const text = multilineText(fields, 'document')
  const isSame =
    stored !== undefined && shownText(stored.content.toString('utf8')) === shownText(text)
  return isSame ? stored.content : Buffer.from(text)
}

function shownText(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n')
}

function isTyped(mediaType: string | undefined): mediaType is TypedTerms {
  return mediaType !== undefined && Object.hasOwn(TYPED_TERMS, mediaType)
}

function mediaTypeOf(fields: FormFields): TypedTerms {
  const mediaType = fields.get('mediaType')
  return isTyped(mediaType) ? mediaType : 'text/plain'
}

/** @throws AppError unprocessable */
function requireVersionText(version: string | undefined): void {
  const result = VersionText.optional().safeParse(version)
  if (result.success) return
  const [issue] = result.error.issues
  const detail = `The version ${issue?.message ?? 'is no version'}.`
  throw new AppError('unprocessable', { errors: [{ pointer: '/version', detail }] })
}

const NEEDS_VERSION =
  'Version in use: its terms cannot change. Enter a new version to publish with this change.'

const CHANGED_MEANWHILE =
  'The terms document has changed since you opened this page. Your text is kept. Send the form again to replace or remove the other document.'

/**
 * What a refused document tells about its form.
 *
 * @throws the error itself, when it is not about the form
 */
function termsRefusal(error: unknown, versionField: string): Refusal {
  const codes = [
    'unprocessable',
    'version_required',
    'version_used',
    'precondition_failed',
  ] as const
  return refusalOf(error, codes, ({ code, message, options }): FormProblem[] => {
    if (code === 'version_required') return [{ field: versionField, text: NEEDS_VERSION }]
    if (code === 'precondition_failed') return [{ field: undefined, text: CHANGED_MEANWHILE }]
    if (code === 'version_used') return [{ field: versionField, text: message }]
    const [first] = options.errors ?? []
    if (first?.pointer === '/version') return [{ field: versionField, text: first.detail }]
    return [{ field: 'document', text: message }]
  })
}
