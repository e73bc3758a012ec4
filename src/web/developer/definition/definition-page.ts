import type { AppRecord, DefinitionChanges } from '../../../marketplace/apps/app-record.ts'
import type { Change } from '../../../marketplace/apps/versions/change-kinds.ts'
import { controlView, type Field } from '../../kit/fields.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import { changeList } from '../../shared/app-parts/definition-changes-view.ts'
import { problemSummary } from '../../shared/forms/form-problems.ts'
import { isTooLong, lengthText } from '../../shared/forms/long-text.ts'
import { carriedField, type FormFields } from '../../shared/forms/settings-form.ts'
import { card } from '../../shared/page/blocks.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { ownAppPath } from '../console-frame.ts'
import { placeNamed } from './definition-parts.ts'
import { hasWritten, LISTED_FIELD, PART_FIELD, wasStep } from './definition-steps.ts'
import { DEFINITION_FIELD, type ReadJson, UNSHOWN_FIELD } from './definition-text.ts'
import { partForm, partsView } from './parts-view.ts'

/** What a check found: that an app can be created, or what a change would do. */
export type CheckedDefinition =
  | { kind: 'new' }
  | ({ kind: 'changes'; version: string } & DefinitionChanges)

type DefinitionPageInput = Visit & {
  /** The app that is edited; undefined for a new one. */
  app: AppRecord | undefined
  revision: number | undefined
  /** What stands in the editor. */
  text: string
  json: ReadJson
  checked?: CheckedDefinition | undefined
  /** The changes that stood in the way of saving. */
  refused?: readonly Change[] | undefined
  /** What else stands in the form: which part is edited, and what was typed into its form. */
  typed?: FormFields | undefined
  /** The definition as users would see it. */
  preview?: Html | undefined
}

/** The editor of a definition. Whatever comes of it, what was typed stays. */
export function definitionPage(input: DefinitionPageInput): HtmlPage {
  const { app, revision, text, csrfToken, problems = [], typed = new Map() } = input
  const path = app === undefined ? '/Developer/Apps/New' : `${ownAppPath(app.id)}/Definition`
  const back =
    app === undefined
      ? { href: '/Developer', label: 'Your apps' }
      : { href: ownAppPath(app.id), label: app.name }
  const title = app === undefined ? 'New app' : `Definition of ${app.name}`
  const side = sideOf(input)
  const outline = outlineOf(input)
  const place = { console: 'developer', section: 'own-apps' } as const
  const tab = app && { app: { id: app.id, tab: 'Definition' as const } }
  return framePage({ ...place, ...tab }, input, {
    title,
    back,
    tellsProblems: true,
    head: html`<div class="page-head">
<h1>${app === undefined ? title : html`Definition of <bdi>${app.name}</bdi>`}</h1></div>`,
    content: html`
<form class="editor" method="post" action="${path}">
${csrfField(csrfToken)}${firstButton(typed)}
${revision !== undefined && html`<input type="hidden" name="revision" value="${revision}">`}
${typed.has(LISTED_FIELD) && html`<input type="hidden" name="${LISTED_FIELD}" value="${typed.get(LISTED_FIELD)}">`}
${hasWritten(typed) && problems.length === 0 && (isTooLong(text) ? writtenUnshown : written)}
${outline}
${side && html`<div class="editor-side">${side}</div>`}
<div class="editor-text stack">${isTooLong(text) && unshown(input)}${textField(input)}</div>
<div class="editor-bar"><p class="actions">
<button class="button" type="submit" name="do" value="check">Check</button>
<button class="button" type="submit" name="do" value="preview">Preview</button>
<button class="button primary" type="submit" name="do" value="save">${saveLabel(app)}</button>
<a class="button" href="${back.href}">Cancel</a>
<span class="hint">“Check” and “Preview” save nothing.</span></p></div></form>`,
  })
}

/** The text itself; what is wrong with it is told beside it, in the summary of all problems. */
function textField({ text, problems = [] }: DefinitionPageInput): Html {
  const isWrong = problems.some(({ field }) => field === DEFINITION_FIELD)
  const field: Field = {
    label: 'Definition',
    kind: 'code',
    hint: html`The whole definition as JSON, in the format of the API. <a href="/docs/apps">Field reference</a>`,
    toldIn: isWrong ? 'problems' : undefined,
  }
  const typed = new Map([[DEFINITION_FIELD, isTooLong(text) ? '' : text]])
  return controlView(DEFINITION_FIELD, field, { problems: [], typed })
}

/**
 * What is said of a definition that is too long for the field. Without another text in the field, the
 * form is about the one that was sent last, else about the published one.
 */
function unshown({ app, text, typed = new Map() }: DefinitionPageInput): Html {
  const download =
    app !== undefined &&
    html` <a href="${ownAppPath(app.id)}/Definition/File">Download the published definition</a>.`
  const isSent = typed.has(DEFINITION_FIELD)
  return html`<p>This definition of ${lengthText(text.length)} is too long to show here.${download}</p>
<p class="hint">Change its parts one by one, paste a whole new definition below, or use the API:
<code>PUT /v1/Developer/Apps/${app?.id ?? '{appId}'}</code></p>
${isSent ? carriedField(DEFINITION_FIELD) : html`<input type="hidden" name="${UNSHOWN_FIELD}" value="yes">`}`
}

const written = html`<div class="notice" role="status"><p>
Change applied. Check the definition, then save.</p></div>`

const writtenUnshown = html`<div class="notice" role="status"><p>
The definition has your change. Check it, then save it.</p></div>`

/** The Enter key in the form of a part writes the part, instead of checking the definition. */
function firstButton(typed: FormFields): Html | false {
  return (
    typed.has(PART_FIELD) &&
    html`<button class="visually-hidden" type="submit" name="do" value="apply" tabindex="-1"
aria-hidden="true">Apply to definition</button>`
  )
}

/** What the button says that stores the definition. */
function saveLabel(app: AppRecord | undefined): string {
  return app === undefined ? 'Create' : 'Save'
}

/** What stands beside the text: what is wrong with it, what a check or a preview shows, and the form of a part. */
function sideOf(input: DefinitionPageInput): Html | false {
  const { checked, app, refused = [], problems = [], preview } = input
  const form = openForm(input)
  const shown: (Html | false)[] = [
    problemSummary(problems),
    refused.length > 0 && card('refused', 'Changes that need a new version', changeList(refused)),
    checked !== undefined && outcome(checked, app),
    form ?? false,
    preview ?? false,
  ]
  return shown.some((one) => one !== false) && html`${shown}`
}

function openForm({ json, typed = new Map(), problems = [] }: DefinitionPageInput) {
  const place = placeNamed(typed.get(PART_FIELD) ?? '')
  return json.ok && place ? partForm(json.value, place, typed, problems) : undefined
}

/** All parts, unless the form of one is open. */
function outlineOf(input: DefinitionPageInput): Html | false {
  const { json, typed = new Map(), problems = [], app } = input
  if (!json.ok) {
    return html`<p class="hint">Correct the text first. Then you can edit options, settings and
acknowledgements with forms.</p>`
  }
  if (openForm(input) !== undefined) return false
  const isReturn = wasStep(typed) && !hasWritten(typed) && problems.length === 0
  const listed = typed.get(LISTED_FIELD)
  return partsView(json.value, { saveLabel: saveLabel(app), isReturn, listed })
}

function outcome(checked: CheckedDefinition, app: AppRecord | undefined): Html {
  if (checked.kind === 'new' || app === undefined) {
    return html`<div class="notice" role="status"><p>
<strong>The definition is valid.</strong> Its ID and name are available. You can create the app.</p></div>`
  }
  const { changes, breaking, version } = checked
  if (changes.length === 0) {
    return html`<div class="notice" role="status"><p>
<strong>The definition is valid.</strong> It is the same as the published definition.</p></div>`
  }
  const needsVersion = breaking && version === app.version
  return html`<section class="card" aria-labelledby="changes" role="status"><h2 id="changes">Changes</h2>
<div class="notice${needsVersion ? ' warning' : ''}"><p>${
    needsVersion
      ? html`<strong>A new version is needed.</strong> Some of the changes break installations of
<bdi>${app.version}</bdi>. Use a version number you have not used before.`
      : version === app.version
        ? html`<strong>No new version is needed.</strong> The changes break no installation. They apply to version <bdi>${version}</bdi>.`
        : html`<strong>Version <bdi>${version}</bdi> would be published.</strong> Accounts keep their installed
version until they agree to this one.`
  }</p></div>
${changeList(changes)}</section>`
}
