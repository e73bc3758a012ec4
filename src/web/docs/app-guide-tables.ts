import { LIMITS } from '../../base/values/definition-limits.ts'
import { PERMISSIONS } from '../../marketplace/apps/permissions.ts'
import { CURRENCY_CODES, currencyDecimals } from '../../marketplace/apps/pricing/currencies.ts'
import type { SettingDefinition } from '../../marketplace/apps/settings/definitions.ts'
import { CHANGE_KINDS } from '../../marketplace/apps/versions/change-kinds.ts'
import { type Html, html } from '../shared/page/html.ts'
import { inline, type LinkOf, markdown } from './markdown.ts'

/** The catalogue of permissions with what each opens. */
export function permissionTable(linkOf: LinkOf): Html {
  return html`<p>${inline(
    'Ask for as little as the app needs: the user sees each permission with your purpose ' +
      'before the install. An operation that needs none of these is open to every installation ' +
      'token. The catalogue is also at `GET /v1/Permissions`.',
    linkOf,
  )}</p>
<ul class="props">${PERMISSIONS.map(
    ({ id, title, description, opens }) => html`<li class="prop" id="permission-${id}">
<div class="prop-head"><code>${id}</code> <span class="prop-type">${title}</span></div>
<div class="prop-text"><p>${description}</p></div>
${opens.length > 0 && html`<div class="prop-facts">opens ${listed(opens, linkOf)}</div>`}
</li>`,
  )}</ul>`
}

function listed(operations: readonly string[], linkOf: LinkOf): Html[] {
  return operations.map(
    (operation, index) => html`${index > 0 && ', '}${inline(`\`${operation}\``, linkOf)}`,
  )
}

/** The accepted currencies by the number of their decimals. */
export function currencyNotes(): Html {
  const byDecimals = Map.groupBy(CURRENCY_CODES, (code) => currencyDecimals(code) ?? 0)
  const groups = [...byDecimals].sort(([a], [b]) => a - b)
  return html`<p>The ${CURRENCY_CODES.length} active currencies of ISO 4217, in capitals.
Amounts have at most the decimals of their currency.</p>
<dl class="facts">${groups.map(
    ([decimals, codes]) => html`<dt>${decimalsText(decimals)}</dt>
<dd class="codes">${codeList(codes)}</dd>`,
  )}</dl>`
}

function decimalsText(decimals: number): string {
  if (decimals === 0) return 'no decimals'
  return decimals === 1 ? '1 decimal' : `${decimals} decimals`
}

/** Codes of currencies; of a long list all but the first can be folded away. */
function codeList(codes: readonly string[]): Html | string {
  if (codes.length <= 20) return codes.join(', ')
  return html`<details class="values">
<summary>${codes.slice(0, 8).join(', ')} and ${codes.length - 8} more</summary>
${codes.slice(8).join(', ')}
</details>`
}

const KIBIBYTE = 1024

/** What a value of each type is in a request and in the installation record. */
const VALUES: Readonly<Record<SettingDefinition['type'], { input: string; output: string }>> = {
  text: {
    input: `A string of at most ${LIMITS.settingTextMaxBytes / KIBIBYTE} KiB in UTF-8; not blank if mandatory.`,
    output: 'The string.',
  },
  select: {
    input: 'The `value` of one of the options.',
    output: 'That `value`, a string or a number as the option has it.',
  },
  number: {
    input: 'A number within `min` and `max`, whole steps from `min`.',
    output: 'The number.',
  },
  boolean: {
    input: '`true` or `false`, plain or as a string.',
    output: '`"true"` or `"false"`; one that is not there means `false`.',
  },
  password: {
    input: `A string of at most ${LIMITS.settingTextMaxBytes / KIBIBYTE} KiB in UTF-8. An empty one keeps the password there is.`,
    output:
      'In clear to the developer of the app, who needs it; to nobody else. Encrypted where it is stored.',
  },
}

/** How values of settings look on the way in and out. */
export function valueTable(linkOf: LinkOf): Html {
  return html`<div class="prose">${markdown(
    'Settings with the scope `user` are filled in by the account when it installs and later; ' +
      'they come as `userSettings` of the installation. Those with the scope `admin` are yours ' +
      'to set, usually after the install; they come as `adminSettings`, where every value is a ' +
      'string. Keys that the chosen option does not have, and keys of the other scope, are ' +
      'refused.',
    linkOf,
  )}</div>
<div class="table" tabindex="0" role="region" aria-label="Values by the type of a setting"><table>
<thead><tr><th>Type</th><th>What may be sent</th><th>What comes in <code>userSettings</code></th></tr></thead>
<tbody>${Object.entries(VALUES).map(
    ([type, { input, output }]) => html`<tr>
<td><code>${type}</code></td>
<td>${inline(input)}</td>
<td>${inline(output)}</td>
</tr>`,
  )}</tbody>
</table></div>`
}

/** Which changes need a new version. */
export function versionRules(linkOf: LinkOf): Html {
  // That the version is another is what the others may need, not one of them.
  const { version_changed: _itself, ...others } = CHANGE_KINDS
  const kinds = Object.entries(others)
  const list = (breaking: boolean) =>
    html`<ul class="changes">${kinds
      .filter(([, kind]) => kind.breaking === breaking)
      .map(
        ([name, { meaning }]) => html`<li><code>${name}</code><span>${meaning}</span></li>`,
      )}</ul>`
  return html`<div class="prose">${markdown(
    'An installation keeps what was agreed to: permissions, options, settings, ' +
      'acknowledgements and terms of the version that it was made with. New installations get ' +
      'the latest version; existing ones get it when their account agrees to the upgrade.\n\n' +
      'A change that takes something away from those who installed, or asks more of them, needs ' +
      'a `version` never used before; without one the answer is 409 and lists every such ' +
      'change. Everything else may be published under the same version and shows at once.',
    linkOf,
  )}</div>
<div class="change-columns">
<div><h3>Needs a new version</h3>${list(true)}</div>
<div><h3>May keep its version</h3>${list(false)}</div>
</div>`
}
