import type { Choice, FieldError } from '../../../errors.ts'
import type { TermsDocument } from '../../../marketplace/apps/app-record.ts'
import {
  type SettingDefinition,
  type SettingsProfile,
  settingsInOrder,
} from '../../../marketplace/apps/settings/definitions.ts'
import { actionList } from '../../kit/action-list.ts'
import { type Html, html, render } from '../page/html.ts'
import type { FormFields } from './settings-form.ts'

/** A problem of a form: the id of its control, if there is one, and a whole sentence. */
export type FormProblem = {
  field: string | undefined
  text: string
  /** Where it is in a field of many lines. */
  line?: number
  /** What may have been meant, and the address of the page with it in the field. */
  choices?: readonly (Choice & { href?: string })[]
}

/** What came of a form: nothing yet, or problems and what was typed. */
export type FormAttempt = { problems: readonly FormProblem[]; typed: FormFields }

/** A form that nobody has sent yet. */
export const UNTOUCHED: FormAttempt = { problems: [], typed: new Map() }

/** Id of the control of a setting. */
export function settingControlId(key: string): string {
  return `setting-${key}`
}

/** The problems of settings, as the services tell them, at their controls. */
export function settingProblems(
  profile: SettingsProfile,
  errors: readonly FieldError[],
  pointer: string,
): FormProblem[] {
  const order = settingsInOrder(profile).map(([key]) => key)
  return errors
    .filter((error) => error.pointer.startsWith(`${pointer}/`))
    .map(({ pointer: at, detail }) => ({ key: unescaped(at.slice(pointer.length + 1)), detail }))
    .sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
    .map(({ key, detail }) => {
      const setting = Object.hasOwn(profile, key) ? profile[key] : undefined
      return setting === undefined
        ? { field: undefined, text: sentence(`${key} ${detail}`) }
        : { field: settingControlId(key), text: problemText(setting, detail) }
    })
}

/** What services say of a setting, in words for who fills in its form. */
function problemText(setting: SettingDefinition, detail: string): string {
  const { name, type } = setting
  if (type === 'select' && /^(is mandatory|must be one of)/.test(detail)) {
    return sentence(`Choose your ${name}`)
  }
  if (detail.startsWith('is mandatory')) return sentence(`Enter your ${name}`)
  if (type === 'number' && detail.startsWith('must be in steps') && !setting.min) {
    const { step = 1, max = Number.POSITIVE_INFINITY } = setting
    const example = [3 * step, step].map((value) => Number(value.toPrecision(12)))
    return `${name} must be a multiple of ${step}, such as ${example.find((value) => value <= max) ?? 0}.`
  }
  return sentence(`${name} ${detail}`)
}

/** What services say of an email that is none. */
const NO_EMAIL = 'must be an email address'

/**
 * What services say of a field, in the voice of forms: `is required` -> `Enter a name.`, `must be one
 * of "Buyer", "Seller"` -> `Choose Buyer or Seller.`, a sentence as it is, all else after the label.
 */
export function fieldProblemText(label: string, detail: string): string {
  if (/^(is required|must not be empty)$/.test(detail)) return `Enter ${withArticle(label)}.`
  if (detail === NO_EMAIL) return 'Enter an email address, such as name@company.com.'
  if (detail.startsWith('must be one of ')) {
    const choices = [...detail.matchAll(/"([^"]*)"/g)].map(([, choice = '']) => choice)
    return `Choose ${OR.format(new Set(choices))}.`
  }
  return sentence(/^\p{Lu}/u.test(detail) ? detail : `${label} ${detail}`)
}

const OR = new Intl.ListFormat('en', { type: 'disjunction' })

/** `Client ID` -> `a client ID`. */
export function withArticle(label: string): string {
  const words =
    label === 'ID' || label === 'URL' ? label : label.charAt(0).toLowerCase() + label.slice(1)
  return `${/^([aeio]|ID)/.test(words) ? 'an' : 'a'} ${words}`
}

/** What has to be accepted, and what a form has accepted of it. */
export type ConsentQuestions = {
  acknowledgements: readonly { id: string; title: string; text: string; sha256: string }[]
  termsDocument: TermsDocument | null
}

export const TERMS_FIELD = 'terms'

/** Name of the checkbox of an acknowledgement. */
export function acknowledgementField(id: string): string {
  return `accept.${id}`
}

/** Id of that checkbox. */
export function acknowledgementControlId(id: string): string {
  return `accept-${id}`
}

/** What a form accepts, each by the hash of the words that it showed. */
export function consentOfForm(questions: ConsentQuestions, fields: FormFields) {
  const terms = fields.get(TERMS_FIELD)
  return {
    acknowledgements: questions.acknowledgements.flatMap(({ id }) => {
      const sha256 = fields.get(acknowledgementField(id))
      return sha256 === undefined ? [] : [{ id, sha256 }]
    }),
    termsDocument:
      terms === undefined || questions.termsDocument === null ? null : { sha256: terms },
  }
}

/** What of it is missing or was accepted in words that have changed since. */
export function consentFormProblems(
  questions: ConsentQuestions,
  fields: FormFields,
): FormProblem[] {
  const asked = [
    ...questions.acknowledgements.map(({ id, title, sha256 }) => ({
      field: acknowledgementControlId(id),
      what: `“${title}”`,
      missing: `Please confirm “${title}”.`,
      sha256,
      given: fields.get(acknowledgementField(id)),
    })),
    ...(questions.termsDocument === null
      ? []
      : [
          {
            field: TERMS_FIELD,
            what: 'the terms and conditions',
            missing: 'Accept the terms and conditions to continue.',
            sha256: questions.termsDocument.sha256,
            given: fields.get(TERMS_FIELD),
          },
        ]),
  ]
  return asked.flatMap(({ field, what, missing, sha256, given }) => {
    if (given === sha256) return []
    return given === undefined
      ? [{ field, text: missing }]
      : [{ field, text: `The wording of ${what} has changed. Read it again, then accept it.` }]
  })
}

/** The problems in the order of their controls on a page, and first those of none. */
export function inPageOrder(
  content: Html,
  problems: readonly FormProblem[],
): readonly FormProblem[] {
  return inDocumentOrder(content, problems).map(({ problem }) => problem)
}

/** The problems in page order, without those of controls that the page no longer has. */
export function problemsOn(
  content: Html,
  problems: readonly FormProblem[],
): readonly FormProblem[] {
  return inDocumentOrder(content, problems)
    .filter(({ problem, place }) => !problem.field || place !== -1)
    .map(({ problem }) => problem)
}

/** Looks each control up once: the page of an app with many settings has a megabyte. */
function inDocumentOrder(content: Html, problems: readonly FormProblem[]) {
  if (problems.length === 0) return []
  const text = render(content)
  return problems
    .map((problem) => {
      const { field } = problem
      return { problem, place: field ? text.indexOf(`id="${field}"`) : -1 }
    })
    .toSorted((one, other) => one.place - other.place)
}

/**
 * All problems above the form, each leading to its control. The focus goes there first, unless a
 * long page has a control of its own to which it goes.
 */
export function problemSummary(
  problems: readonly FormProblem[],
  { takesFocus = true }: { takesFocus?: boolean } = {},
): Html | false {
  if (problems.length === 0) return false
  const heading =
    problems.length === 1 ? 'There is a problem' : `There are ${problems.length} problems`
  return html`<div class="notice error" id="problems" role="alert" tabindex="-1"${takesFocus && html` autofocus`}
aria-labelledby="problems-title">
<h2 id="problems-title">${heading}</h2>
<ul>${problems.map(
    ({ field, text, line }) => html`<li>
${
  field === undefined
    ? html`<bdi>${text}</bdi>`
    : html`<a href="#${field}"${line && html` data-line="${line}"`}><bdi>${text}</bdi></a>`
}</li>`,
  )}
</ul></div>
`
}

/** The problem beside a control, and the attributes by which the control names it and its hints. */
export function describedBy(
  problems: readonly FormProblem[],
  field: string,
  hintIds: readonly string[] = [],
): { attributes: Html; message: Html | false } {
  const found = problems.filter((one) => one.field === field)
  const texts = found.map(({ text }) => text)
  const choices = found.flatMap((one) => one.choices ?? []).filter(({ href }) => href !== undefined)
  const errorId = `${field}-error`
  const ids = [...hintIds, ...(texts.length > 0 ? [errorId] : [])].join(' ')
  return {
    attributes: html`${ids !== '' && html` aria-describedby="${ids}"`}${texts.length > 0 && html` aria-invalid="true"`}`,
    message:
      texts.length > 0 &&
      html`<p class="field-error" id="${errorId}"><bdi>${texts.join(' ')}</bdi></p>${
        choices.length > 0 &&
        actionList(
          choices.map(
            ({ text, href }) => html`<a class="button small" href="${href}"><bdi>${text}</bdi></a>`,
          ),
        )
      }`,
  }
}

/** A part of a JSON pointer (RFC 6901, 4). */
export function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** A text with its full stop. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
