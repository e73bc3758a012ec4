import type { AppRecord, DefinitionChanges } from '../../apps/app-record.ts'
import type { Change } from '../../apps/versions/breaking-changes.ts'
import { changeList } from '../shared/app-parts/definition-changes-view.ts'
import { card } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField } from '../shared/page/html-page.ts'
import { type ConsoleInput, developerPage, ownAppPath } from './console-frame.ts'
import { DEFINITION_FIELD } from './definition-text.ts'

/** What a check found: that an app can be created, or what a change would do. */
export type CheckedDefinition =
  | { kind: 'new' }
  | ({ kind: 'changes'; version: string } & DefinitionChanges)

type DefinitionPageInput = ConsoleInput & {
  /** The app that is edited; undefined for a new one. */
  app: AppRecord | undefined
  revision: number | undefined
  /** What stands in the editor. */
  text: string
  checked?: CheckedDefinition | undefined
  /** The changes that stood in the way of saving. */
  refused?: readonly Change[] | undefined
}

/** The editor of a definition. Whatever comes of it, what was typed stays. */
export function definitionPage(input: DefinitionPageInput): string {
  const { app, revision, text, csrfToken, problems = [], refused = [] } = input
  const path = app === undefined ? '/Developer/Apps/New' : `${ownAppPath(app.id)}/Definition`
  const back =
    app === undefined
      ? { href: '/Developer', label: 'your apps' }
      : { href: ownAppPath(app.id), label: app.name }
  const title = app === undefined ? 'New app' : `Definition of ${app.name}`
  const tied =
    problems.length > 0 ? html` aria-invalid="true" aria-describedby="hint problems"` : hint
  return developerPage(input, {
    title,
    section: 'own-apps',
    back,
    head: html`<div class="page-head">
<h1>${app === undefined ? title : html`Definition of <bdi>${app.name}</bdi>`}</h1><p class="lead" id="hint">
The whole definition as JSON, in the format of the API. <a href="/docs/apps">Field reference</a></p></div>`,
    content: html`${refused.length > 0 && html`${card('refused', 'Changes that need a new version', html`${changeList(refused)}`)}`}
${input.checked !== undefined && outcome(input.checked, app)}
<form class="card" method="post" action="${path}">
${csrfField(csrfToken)}
${revision !== undefined && html`<input type="hidden" name="revision" value="${revision}">`}
<div class="field"><label for="${DEFINITION_FIELD}">Definition</label>
<textarea class="code" id="${DEFINITION_FIELD}" name="${DEFINITION_FIELD}" rows="30" spellcheck="false"
autocapitalize="none" aria-required="true"${tied}>
${text}</textarea></div>
<p class="actions"><button class="button large" type="submit" name="do" value="check">Check</button>
<button class="button primary large" type="submit" name="do"
value="save">${app === undefined ? 'Create' : 'Save'}</button> <a class="button large" href="${back.href}">Cancel</a>
</p>
<p class="hint">“Check” saves nothing. It lists errors and shows what your changes would do.</p></form>`,
  })
}

const hint = html` aria-describedby="hint"`

function outcome(checked: CheckedDefinition, app: AppRecord | undefined): Html {
  if (checked.kind === 'new' || app === undefined) {
    return html`<div class="notice" role="status"><p>
<strong>The definition is valid.</strong> Its ID and name are available. You can create the app.</p></div>`
  }
  const { changes, breaking, version } = checked
  if (changes.length === 0) {
    return html`<div class="notice" role="status"><p>
<strong>The definition is valid.</strong> It does not differ from the published definition.</p></div>`
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
