import { PERMISSIONS } from '../../../marketplace/apps/permissions.ts'
import { actionList } from '../../kit/action-list.ts'
import { controlsView, type FormSpec } from '../../kit/fields.ts'
import type { FormAttempt } from '../../shared/forms/form-problems.ts'
import { card } from '../../shared/page/blocks.ts'
import { shellMarkup } from '../../shared/page/code-colours.ts'
import { codeBox } from '../../shared/page/code-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import type { CodeSample } from './code-samples.ts'

/** Names of the fields of the form. */
export const TEST_TOKEN_FIELD = {
  permission: (id: string) => `permission.${id}`,
  lifetime: 'lifetime',
} as const

/**
 * Asks what a test token may do, and for how long.
 *
 * @param lifetimes to choose from, in seconds
 */
export function tokenControls(
  permissions: readonly string[],
  lifetimes: readonly number[],
  attempt: FormAttempt,
): Html {
  const boxes: FormSpec = Object.fromEntries(
    permissions.map((id) => {
      const title = PERMISSIONS.find((one) => one.id === id)?.title
      const label = title === undefined ? id : `${title} (${id})`
      return [TEST_TOKEN_FIELD.permission(id), { label, kind: 'check' }] as const
    }),
  )
  const choices = lifetimes.map((seconds) => [String(seconds), durationText(seconds)] as const)
  const lifetime: FormSpec = {
    [TEST_TOKEN_FIELD.lifetime]: { label: 'Expires after', kind: 'choice', choices },
  }
  return html`<fieldset class="stack"><legend>What the token may do</legend>
${
  permissions.length === 0
    ? html`<p class="muted">This installation has no permissions. The token reads its own record only.</p>`
    : controlsView(boxes, attempt)
}</fieldset>
${controlsView(lifetime, attempt)}`
}

/** Code that uses a token that was just made. */
export function samplesCard(token: string, samples: readonly CodeSample[], path: string): Html {
  return html`${card(
    'samples',
    'Use it',
    html`<p class="muted">Put the token into your shell first. A leading space keeps the line out of the history of
most shells.</p>
${codeBox('Shell', 'The token as a variable', html` export TOKEN='${token}'`)}
${samples.map(({ language, code }) =>
  codeBox(
    language,
    `The call in ${language}`,
    language === 'curl' ? shellMarkup(code) : html`${code}`,
  ),
)}`,
  )}${actionList([
    html`<a class="button" href="${path}">Back to the installation</a>`,
    html`<a class="button" href="${path}/TestToken">Make another one</a>`,
  ])}`
}

function durationText(seconds: number): string {
  if (seconds === 3600) return '1 hour'
  if (seconds % 60 !== 0) return `${seconds} seconds`
  return seconds === 60 ? '1 minute' : `${seconds / 60} minutes`
}
