import { controlsView } from '../../kit/fields.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import type { FormAttempt } from '../../shared/forms/form-problems.ts'
import { carriedField } from '../../shared/forms/settings-form.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { GUIDE_PATH } from '../console-frame.ts'
import { DEFINITION_FIELD } from './definition-text.ts'
import {
  ABOUT_FIELDS,
  GUIDE_STEP_FIELD,
  GUIDE_STEPS,
  type GuideStep,
  PERMISSION_FIELDS,
  settingsMade,
  stepBeside,
} from './guide-steps.ts'
import type { Part } from './part-fields.ts'
import { partControls } from './parts-view.ts'

type GuidePageInput = Visit & {
  step: GuideStep
  definition: Part
  /** Whether there is a draft, which goes along with the form. */
  isKept: boolean
  attempt: FormAttempt
}

const LEADS: Readonly<Record<GuideStep, string>> = {
  about: 'Four short forms make the definition of the app. Nothing is saved before the last one.',
  permissions:
    'Say why the app needs each permission: users read it. Leave blank what it does not need.',
  prices: 'How accounts pay for the app. You can add more purchase options later.',
  settings: 'What accounts enter when they install the app. It may have none.',
}

/** One of the four short forms that make a new app. */
export function newAppGuidePage({
  step,
  definition,
  isKept,
  attempt,
  ...visit
}: GuidePageInput): HtmlPage {
  const isFirst = stepBeside(step, -1) === undefined
  const isLast = stepBeside(step, 1) === undefined
  const place = { console: 'developer', section: 'own-apps' } as const
  const { problems } = attempt
  return framePage(
    place,
    { ...visit, problems },
    {
      title: `New app: ${GUIDE_STEPS[step]}`,
      back: { href: '/Developer', label: 'Your apps' },
      layout: 'form',
      lead: LEADS[step],
      content: html`<ol class="wizard-steps">${Object.entries(GUIDE_STEPS).map(
        ([one, label]) => html`<li${one === step && html` aria-current="step"`}>${label}</li>
`,
      )}</ol>
<form class="card" method="post" action="${GUIDE_PATH}">
${csrfField(visit.csrfToken)}
<button class="visually-hidden" type="submit" name="do" value="next" tabindex="-1" aria-hidden="true">Next</button>
<input type="hidden" name="${GUIDE_STEP_FIELD}" value="${step}">
${isKept && carriedField(DEFINITION_FIELD)}
${stepForm(step, definition, attempt)}
<p class="actions">
<button class="button primary" type="submit" name="do" value="next">${isLast ? 'Create app' : 'Next'}</button>
${step === 'settings' && html`<button class="button" type="submit" name="do" value="add">Add another setting</button>`}
${!isFirst && html`<button class="button" type="submit" name="do" value="back">Back</button>`}
<button class="button" type="submit" name="do" value="json">Edit as JSON</button>
<a class="button" href="/Developer">Cancel</a></p></form>`,
    },
  )
}

function stepForm(step: GuideStep, definition: Part, attempt: FormAttempt): Html {
  switch (step) {
    case 'about':
      return controlsView(ABOUT_FIELDS, attempt)
    case 'permissions':
      return controlsView(PERMISSION_FIELDS, attempt)
    case 'prices':
      return partControls('option', attempt, ['id', 'order'])
    case 'settings': {
      const made = settingsMade(definition)
      return html`${
        made.length > 0 &&
        html`<h2>Settings so far</h2>
<ul class="bullets">${made.map(
          ([key, name]) => html`<li><bdi>${name}</bdi> <code>${key}</code></li>
`,
        )}</ul>`
      }
<h2>New setting</h2>
${partControls('setting', attempt, ['order'])}`
    }
  }
}
