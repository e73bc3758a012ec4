import {
  choiceText,
  type SettingDefinition,
  type SettingsProfile,
} from '../../marketplace/apps/settings/definitions.ts'
import type { SettingScope } from '../../marketplace/apps/settings/values.ts'
import { describedBy, type FormProblem, settingControlId } from '../shared/forms/form-problems.ts'
import {
  carriedField,
  type FormFields,
  removalOf,
  type StoredSettings,
  settingField,
  settingsSetBy,
  shownValue,
} from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import { stateBadge } from './badge.ts'

type SettingsFieldsInput = {
  profile: SettingsProfile
  stored?: StoredSettings | undefined
  /** What was typed before, when the form comes back with problems. */
  typed?: FormFields | undefined
  problems: readonly FormProblem[]
  /** Who fills them in; the user unless given. */
  side?: SettingScope
}

/** One control for each setting of one side, in their order. */
export function settingsFields(input: SettingsFieldsInput): Html {
  const { profile, stored, typed, problems, side = 'user' } = input
  return html`${settingsSetBy(side, profile).map(([key, setting]) => {
    const value = shownValue(key, setting, stored, typed)
    const isTyped = setting.type === 'password' && Boolean(typed?.get(settingField(key)))
    const isSet = isTyped || (stored?.passwordsSet.has(key) ?? false)
    return control({ key, setting, value, isSet, isTyped, problems })
  })}`
}

type Control = {
  key: string
  setting: SettingDefinition
  value: string
  /** For a password: whether there is one, and whether it was typed before. */
  isSet: boolean
  isTyped: boolean
  problems: readonly FormProblem[]
}

function control(input: Control): Html {
  const { key, setting, problems } = input
  const id = settingControlId(key)
  const hints = hintsOf(input)
  const { attributes, message } = describedBy(
    problems,
    id,
    hints.map((_, index) => `${id}-hint-${index}`),
  )
  const required = setting.mandatory && !input.isSet && html` aria-required="true"`
  const common = html` id="${id}" name="${settingField(key)}"${attributes}`
  const label = html`<label for="${id}"><bdi>${setting.name}</bdi>${
    !setting.mandatory && setting.type !== 'boolean' && html` <span class="must">(optional)</span>`
  }</label>
`
  const hintList = hints.map(
    (hint, index) => html`<p class="hint" id="${id}-hint-${index}">${hint}</p>`,
  )
  if (setting.type === 'boolean') {
    return html`<div class="field"><div class="check">
<input type="checkbox"${common} value="true"${input.value === 'true' && html` checked`}>${label}</div>
${message}</div>
`
  }
  return html`<div class="field">${label}${hintList}${message}${widget(input, html`${common}${required}`)}
</div>
`
}

function widget({ key, setting, value, isSet, isTyped }: Control, common: Html): Html {
  switch (setting.type) {
    // Browsers drop the line ends of what is pasted into an `<input>`: keys and addresses have some.
    // No `autocomplete="off"`: browsers would lose what was typed when they go back to the form.
    case 'text': {
      const placeholder =
        setting.placeholder !== undefined && html` placeholder="${setting.placeholder}"`
      return html`<textarea${common} rows="${/[\r\n]/.test(value) ? 4 : 1}" dir="auto"${placeholder}>
${value}</textarea>`
    }
    case 'number': {
      // Not `type="number"`: browsers would tell their own problems one by one, and send nothing
      // of what is no number. A decimal keypad may lack the minus sign.
      const keypad = setting.min !== undefined && setting.min >= 0 && html` inputmode="decimal"`
      return html`<input type="text"${common}${keypad} value="${value}">`
    }
    case 'select': {
      const none = setting.mandatory ? 'Choose…' : 'None'
      return html`<select${common}><option value="">${none}</option>
${setting.options.map((option) => choice(option, value))}</select>`
    }
    case 'password': {
      const removal = removalOf(settingField(key))
      return html`${secretBox(common)}${isTyped && carriedField(settingField(key))}${
        isSet &&
        !setting.mandatory &&
        html`<div class="check"><input type="checkbox" id="${removal}" name="${removal}" value="yes">
<label for="${removal}">${isTyped ? 'Remove the password you typed' : 'Remove the saved password'}</label>
</div>`
      }`
    }
    case 'boolean':
      return html``
  }
}

/**
 * A control for a secret, which keeps the line ends of a key that is pasted into it. It is masked by the
 * style sheet; browsers keep nothing of it, and send it to no spell checker.
 *
 * @param attributes what names and describes it
 */
export function secretBox(attributes: Html): Html {
  return html`<textarea class="secret"${attributes} rows="1" autocomplete="off" autocapitalize="none"
autocorrect="off" spellcheck="false"></textarea>`
}

function choice(option: { name: string; value: string | number }, value: string): Html {
  const own = choiceText(option.value)
  return html`<option value="${own}"${own === value && html` selected`}>${option.name}</option>`
}

/** What is said between the name of a setting and its control. */
function hintsOf({ setting, isSet, isTyped }: Control): (string | Html)[] {
  const hints: (string | Html)[] = []
  if ('description' in setting && setting.description) {
    hints.push(html`<bdi>${setting.description}</bdi>`)
  }
  if (setting.type === 'number') hints.push(numberHint(setting))
  if (setting.type === 'password' && isSet) {
    hints.push(
      isTyped
        ? 'You typed a password. Leave blank to keep it.'
        : 'A password is saved. Leave blank to keep it.',
    )
  }
  return hints
}

type NumberBounds = Pick<Extract<SettingDefinition, { type: 'number' }>, 'min' | 'max' | 'step'>

/** Which numbers there are, and how they are written. */
export function numberHint({ min, max, step }: NumberBounds): string {
  const range =
    min !== undefined && max !== undefined
      ? ` from ${min} to ${max}`
      : min !== undefined
        ? `, ${min} or more`
        : max !== undefined
          ? `, ${max} or less`
          : ''
  if (step === 1 && Number.isInteger(min ?? 0)) return `A whole number${range}.`
  const steps = step === undefined ? '' : `, in steps of ${step}`
  return `A number${range}${steps}${range + steps === '' ? ', such as 12.5' : ''}.`
}

type SettingsFactsInput = {
  profile: SettingsProfile
  stored: StoredSettings
  /** Whose settings; the user's unless given. */
  side?: SettingScope
  /** False once it is uninstalled: nothing is needed any more, and passwords are erased. */
  isLive: boolean
  /** What has become of passwords that are no longer here. */
  gone?: string
}

/** The settings as they are now, for reading: of passwords only whether they are set. */
export function settingsFacts({
  profile,
  stored,
  side = 'user',
  isLive,
  gone = 'Deleted',
}: SettingsFactsInput): Html {
  return html`<dl class="facts">${settingsSetBy(side, profile).map(
    ([key, setting]) => html`<dt><bdi>${setting.name}</bdi></dt><dd>${
      setting.type === 'password' && !isLive
        ? html`<span class="muted">${gone}</span>`
        : factOf(key, setting, stored, isLive)
    }</dd>
`,
  )}</dl>`
}

const SAVED_PASSWORD = html`<span aria-hidden="true">••••••</span> (saved)`

function factOf(
  key: string,
  setting: SettingDefinition,
  stored: StoredSettings,
  isLive: boolean,
): Html {
  const needed = setting.mandatory && isLive
  const unset = needed
    ? stateBadge('warn', 'Needed')
    : html`<span class="muted">${setting.type === 'password' ? 'None' : 'Not set'}</span>`
  if (setting.type === 'password') return stored.passwordsSet.has(key) ? SAVED_PASSWORD : unset
  const value = stored.values.get(key)
  // A box that nobody has checked says no, whether that was stored or not.
  if (setting.type === 'boolean' && !(needed && value === undefined)) {
    return html`${value === 'true' ? 'Yes' : 'No'}`
  }
  if (value === undefined) return unset
  const name =
    setting.type === 'select'
      ? setting.options.find((option) => choiceText(option.value) === choiceText(value))?.name
      : undefined
  return html`<bdi>${name ?? choiceText(value)}</bdi>`
}
