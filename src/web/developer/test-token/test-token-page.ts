import { PERMISSIONS } from '../../../marketplace/apps/permissions.ts'
import { framePage } from '../../kit/frame.ts'
import { card } from '../../shared/page/blocks.ts'
import { shellMarkup } from '../../shared/page/code-colours.ts'
import { codeBox } from '../../shared/page/code-view.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import type { Secret } from '../../shared/page/message-view.ts'
import { formActions, ownInstallationPath } from '../console-frame.ts'
import { backTo, type OwnInstallationInput } from '../installations/installation-frame.ts'
import type { CodeSample } from './code-samples.ts'

/** Names of the fields of the form. */
export const TEST_TOKEN_FIELD = {
  permission: (id: string) => `permission.${id}`,
  lifetime: 'lifetime',
} as const

type TestTokenInput = OwnInstallationInput & {
  /** Lifetimes to choose from, in seconds, and the one that is chosen. */
  lifetimes: readonly number[]
  lifetime: number
  /** Permissions that are chosen. */
  chosen: readonly string[]
}

/** Asks what a test token may do, and for how long. */
export function testTokenPage(input: TestTokenInput): HtmlPage {
  const { own, csrfToken, chosen, lifetimes, lifetime } = input
  const path = ownInstallationPath(own.installation.id)
  const { permissions } = own.installation
  return testTokenFrame(
    input,
    html`<form class="card" method="post" action="${path}/TestToken">
${csrfField(csrfToken)}
<div class="stack">
<fieldset class="stack"><legend>What the token may do</legend>
${
  permissions.length === 0
    ? html`<p class="muted">This installation has no permissions. The token reads its own record only.</p>`
    : permissions.map((id) => permissionBox(id, chosen.includes(id)))
}</fieldset>
<fieldset class="stack"><legend>Expires after</legend>
${lifetimes.map((seconds) => lifetimeRadio(seconds, seconds === lifetime))}</fieldset></div>
${formActions('Make a test token', path, 'primary')}</form>`,
  )
}

/** Shows a test token this once, with code that uses it. */
export function madeTestTokenPage(
  input: OwnInstallationInput & { secret: Secret; token: string; samples: readonly CodeSample[] },
): HtmlPage {
  const { own, secret, token, samples } = input
  const path = ownInstallationPath(own.installation.id)
  return testTokenFrame(
    { ...input, message: secret },
    html`${card(
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
    )}<p class="actions"><a class="button" href="${path}">Back to the installation</a>
<a class="button" href="${path}/TestToken">Make another one</a></p>`,
  )
}

function testTokenFrame(input: OwnInstallationInput, content: Html): HtmlPage {
  const { partyName } = input.own.installation
  const back = backTo(input.own)
  return framePage({ console: 'developer', section: 'installations' }, input, {
    title: 'Make a test token',
    about: back.label,
    layout: 'form',
    back,
    lead: html`It acts for <bdi>${partyName}</bdi>, on its real data. Your program gets its tokens with
<code>POST /v1/Developer/Token</code>.`,
    content,
  })
}

function permissionBox(id: string, checked: boolean): Html {
  const field = TEST_TOKEN_FIELD.permission(id)
  const known = PERMISSIONS.find((one) => one.id === id)
  return html`<div class="check"><input type="checkbox" id="${field}" name="${field}" value="yes"${
    checked && html` checked`
  }><label for="${field}">${known?.title ?? id} <code>${id}</code></label></div>
`
}

function lifetimeRadio(seconds: number, checked: boolean): Html {
  const id = `${TEST_TOKEN_FIELD.lifetime}-${seconds}`
  return html`<div class="check"><input type="radio" id="${id}" name="${TEST_TOKEN_FIELD.lifetime}" value="${seconds}"${
    checked && html` checked`
  }><label for="${id}">${durationText(seconds)}</label></div>
`
}

function durationText(seconds: number): string {
  if (seconds === 3600) return '1 hour'
  if (seconds % 60 !== 0) return `${seconds} seconds`
  return seconds === 60 ? '1 minute' : `${seconds / 60} minutes`
}
