import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppPath } from '../../base/values/app-path.ts'
import { parseInput } from '../../base/values/field-errors.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendDocument } from '../../http/bodies/send-document.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import type { AppRecord } from '../../marketplace/apps/app-record.ts'
import { VersionText } from '../../marketplace/apps/definition.ts'
import { readOwnApp } from '../../marketplace/apps/read-apps-service.ts'
import { latestTerms } from '../../marketplace/apps/terms/read-terms-service.ts'
import { putTerms, removeTerms } from '../../marketplace/apps/terms/terms-service.ts'
import { controlsView, type FormSpec } from '../kit/fields.ts'
import { formPage } from '../requests/form-page.ts'
import { termsLinks } from '../shared/app-parts/consent-view.ts'
import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { isTooLong, lengthText, SHOWN_TEXT_MAX_LENGTH } from '../shared/forms/long-text.ts'
import { carriedField, type FormFields, multilineText } from '../shared/forms/settings-form.ts'
import { card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { APP_NOTICES, ownAppPath } from './console-frame.ts'

const TERMS = '/Developer/Apps/:appId/Terms'
const PLACE = { console: 'developer', section: 'own-apps' } as const
const REFUSED = [
  'unprocessable',
  'version_required',
  'version_used',
  'precondition_failed',
] as const
/** What was typed is kept when it is refused: it may be too long to show. */
const LONG_FORM = { formKind: 'wizard' } as const
/** Where the reference tells how to attach a document. */
const REFERENCE = '/docs/api#tag/apps/PUT/v1/Developer/Apps/%7BappId%7D/TermsDocument'

/** Media types of what can be typed into the page -> their name. */
const TYPED_TERMS = { 'text/markdown': 'Markdown', 'text/plain': 'Plain text' } as const
type TypedTerms = keyof typeof TYPED_TERMS

/** Name of the field with the SHA-256 of the document that the form was made of; empty without one. */
const SEEN_FIELD = 'seen'

const versionField = ({ version }: AppRecord): FormSpec => ({
  version: {
    label: 'New version',
    optional: true,
    hint: html`Required if an account has installed version <bdi>${version}</bdi>. The change is published with it.`,
  },
})

/** The terms document of a developer's app: typed, changed, removed. */
export async function termsRoutes(app: App) {
  const { deps } = app
  const read = async (request: FastifyRequest, appId: string) =>
    (await readOwnApp(deps, developerOf(request).developerId, appId)).app

  app.get(
    `${TERMS}/Document`,
    { schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      return sendDocument(reply, await latestTerms(deps, request.params.appId, { developerId }))
    },
  )

  app.get(
    `${TERMS}/Document/Pdf`,
    { schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { appId } = request.params
      return sendDocument(reply, await latestTerms(deps, appId, { developerId }, 'pdf'))
    },
  )

  formPage(app, {
    path: TERMS,
    params: AppPath,
    place: PLACE,
    fields: { document: { label: 'Document' }, version: { label: 'Version' } },
    config: LONG_FORM,
    bodyLimit: BODY_LIMIT_BYTES,
    refused: REFUSED,
    async page(request, typed, _reply, { appId }) {
      const own = await read(request, appId)
      const path = ownAppPath(own.id)
      const seen = own.termsDocument?.sha256 ?? ''
      const stored = await typedTerms(request, own)
      return {
        title: `Terms document of ${own.name}`,
        heading: html`Terms document of <bdi>${own.name}</bdi>`,
        lead: 'Accounts accept this document when they install the app.',
        back: { href: path, label: own.name },
        above: html`${typed.has(SEEN_FIELD) && typed.get(SEEN_FIELD) !== seen && CHANGED}
${
  own.termsDocument !== null &&
  card(
    'now',
    'Current document',
    html`${termsLinks(own.termsDocument, `${path}/Terms/Document`)}
<p><a class="button danger" href="${path}/Terms/Remove">Remove…</a></p>`,
  )
}`,
        intro: html`<h2>${own.termsDocument === null ? 'Add a document' : 'Change the document'}</h2>`,
        hidden: { [SEEN_FIELD]: seen },
        stored: new Map(stored && storedFields(stored)),
        controls: (attempt) => termsControls(own, attempt),
        button: 'Save',
      }
    },
    async submit(request, typed, { appId }) {
      const own = await read(request, appId)
      const content = documentIn(typed, await typedTerms(request, own))
      const change = { appId: own.id, mediaType: mediaTypeOf(typed), content }
      await inWords(() =>
        putTerms(deps, developerActor(request), { ...change, ...publishing(typed) }),
      )
      return { path: ownAppPath(own.id), text: APP_NOTICES.terms(own.name) }
    },
  })

  formPage(app, {
    path: `${TERMS}/Remove`,
    params: AppPath,
    place: PLACE,
    fields: { version: { label: 'Version' } },
    refused: REFUSED,
    async page(request, _, _reply, { appId }) {
      const own = await read(request, appId)
      return {
        title: `Remove the terms document of ${own.name}`,
        heading: html`Remove the terms document of <bdi>${own.name}</bdi>`,
        back: { href: `${ownAppPath(own.id)}/Terms`, label: 'Terms document' },
        consequences: [
          'Accounts that install the app from now on accept no document.',
          'Accounts that have installed it keep what they accepted.',
        ],
        hidden: { [SEEN_FIELD]: own.termsDocument?.sha256 ?? '' },
        controls: (attempt) => controlsView(versionField(own), attempt),
        button: 'Remove',
        kind: 'danger',
      }
    },
    async submit(request, typed, { appId }) {
      const own = await read(request, appId)
      // A second click finds it done.
      if (own.termsDocument !== null) {
        const change = { appId: own.id, ...publishing(typed) }
        await inWords(() => removeTerms(deps, developerActor(request), change))
      }
      return { path: ownAppPath(own.id), text: APP_NOTICES.noTerms(own.name) }
    },
  })

  /** The document that there is, if it can be shown in a field. */
  async function typedTerms(request: FastifyRequest, own: AppRecord) {
    const { termsDocument } = own
    if (termsDocument === null || !isTyped(termsDocument.mediaType)) return undefined
    if (termsDocument.size > SHOWN_TEXT_MAX_LENGTH) return undefined
    const { developerId } = developerOf(request)
    const { mediaType, read } = await latestTerms(deps, own.id, { developerId })
    return { mediaType, content: await read() }
  }
}

function termsControls(own: AppRecord, attempt: FormAttempt): Html {
  const text = attempt.typed.get('document') ?? ''
  const isLong = isTooLong(text)
  const fields: FormSpec = {
    mediaType: { label: 'Kind of text', kind: 'choice', choices: Object.entries(TYPED_TERMS) },
    document: {
      label: 'Document',
      kind: 'lines',
      rows: 16,
      hint: html`${isLong ? keptText(text.length) : unshown(own, text)}To upload a PDF or a very long text, use the
<a href="${REFERENCE}">API</a>: <code>PUT /v1/Developer/Apps/${own.id}/TermsDocument</code>`,
    },
    ...versionField(own),
  }
  const typed = isLong ? new Map([...attempt.typed, ['document', '']]) : attempt.typed
  return html`${controlsView(fields, { ...attempt, typed })}${isLong && carriedField('document')}`
}

/** What is said of a text that was typed and is too long for the field: it goes along with the form. */
function keptText(length: number): Html {
  return html`Your text of ${lengthText(length)} is kept, but too long to show here. Send the form again, or paste
another text. `
}

/** What is said of a document that is too long for the field. */
function unshown({ id, termsDocument }: AppRecord, typed: string): Html | false {
  if (termsDocument === null || termsDocument.size <= SHOWN_TEXT_MAX_LENGTH || typed !== '')
    return false
  return html`The current document of ${lengthText(termsDocument.size)} is too long to show here.
<a href="${ownAppPath(id)}/Terms/Document">Download it</a>, or paste a new one. `
}

/**
 * The version that a change is published with, and the document that it is about.
 *
 * @throws AppError unprocessable
 */
function publishing(typed: FormFields) {
  const given = { version: typed.get('version')?.trim() || undefined }
  const { version } = parseInput(z.object({ version: VersionText.optional() }), given)
  const seen = typed.get(SEEN_FIELD)
  return { version, expected: seen === undefined ? undefined : [seen] }
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

const NEEDS_VERSION =
  'An account has installed this version, so its terms cannot change. Enter a new version to publish with this change.'

const CHANGED_MEANWHILE =
  'The terms document has changed since you opened this page. Your text is kept. Send the form again to replace or remove the other document.'

const CHANGED = html`<div class="notice warning"><p>The terms document has changed since you opened this page.</p></div>
`

/** Says what is wrong with a change of the terms in the words of its form, at the version or the document. */
async function inWords(change: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, options } = error
    const refused = (pointer: string, detail: string) =>
      new AppError(code, { errors: [{ pointer, detail }] })
    if (code === 'version_required') throw refused('#version', NEEDS_VERSION)
    if (code === 'version_used') throw refused('#version', message)
    if (code === 'precondition_failed') throw new AppError(code, { detail: CHANGED_MEANWHILE })
    if (code === 'unprocessable' && options.errors === undefined)
      throw refused('#document', message)
    throw error
  }
}
