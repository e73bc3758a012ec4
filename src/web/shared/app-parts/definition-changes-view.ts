import { CHANGE_KINDS, type Change } from '../../../marketplace/apps/versions/change-kinds.ts'
import { stateBadge } from '../../kit/badge.ts'
import { type Html, html } from '../page/html.ts'
import type { DefinitionNames } from './definition-names.ts'

/** What the pages call each kind of change. */
const CHANGE_TEXTS: Readonly<Record<Change['kind'], string>> = {
  version_changed: 'Version changed',
  listing_changed: 'Name, description or link changed',
  release_notes_changed: 'Release notes changed',
  auth_return_url_changed: 'Return address changed',
  redirect_changed: 'Redirect changed',
  party_type_added: 'Available to another account type',
  party_type_removed: 'No longer available to an account type',
  permission_added: 'Permission added',
  permission_removed: 'Permission removed',
  permission_purpose_changed: 'Purpose of a permission changed',
  option_added: 'Purchase option added',
  option_removed: 'Purchase option removed, with its settings',
  option_model_changed: 'Pricing model changed',
  option_currency_changed: 'Currency changed',
  option_price_changed: 'Price changed',
  option_presentation_changed: 'Name, description or order changed',
  setting_added: 'Optional setting added',
  mandatory_setting_added: 'Required setting added',
  setting_removed: 'Setting removed',
  setting_retyped: 'Type of a setting changed',
  setting_scope_changed: 'Moved between user settings and admin settings',
  setting_made_mandatory: 'Setting is now required',
  setting_made_optional: 'Setting is now optional',
  setting_narrowed: 'Fewer values allowed',
  setting_widened: 'More values allowed',
  setting_presentation_changed: 'Name, description, placeholder or order changed',
  select_option_added: 'Choice added',
  select_option_removed: 'Choice removed',
  select_option_retyped: 'Type of a choice changed',
  select_option_renamed: 'Choice renamed',
  select_options_reordered: 'Order of the choices changed',
  acknowledgement_added: 'New acknowledgement',
  acknowledgement_changed: 'Wording of an acknowledgement changed',
  acknowledgement_removed: 'Acknowledgement removed',
  acknowledgement_reordered: 'Order of the acknowledgements changed',
  terms_document_added: 'New terms and conditions',
  terms_document_changed: 'New terms and conditions',
  terms_document_removed: 'Terms and conditions removed',
}

/** What accounts read where developers read something else. */
const ACCOUNT_TEXTS: Partial<Record<Change['kind'], string>> = {
  acknowledgement_added: 'New text to confirm',
  acknowledgement_changed: 'The wording you accepted has changed.',
  acknowledgement_removed: 'Text to confirm removed',
  acknowledgement_reordered: 'Order of the texts to confirm changed',
}

/** Every change between two definitions as an account reads it, with names in place of ids. */
export function changesForAccount(changes: readonly Change[], names: DefinitionNames): Html {
  return html`<ul class="changes">${changes.map(({ kind, pointer, detail }) => {
    const meaning = ACCOUNT_TEXTS[kind] ?? CHANGE_TEXTS[kind]
    const said = detail !== CHANGE_KINDS[kind].meaning && html`: <bdi>${detail}</bdi>`
    return html`<li>${meaning} <span class="fine">${namedPlace(pointer, names)}${said}</span></li>
`
  })}</ul>`
}

/** `/settings/premium/margin` -> `Premium › Margin`. */
function namedPlace(pointer: string, names: DefinitionNames): string {
  const [area = '', id, ...rest] = partsOf(pointer)
  if (area === 'settings' && id !== undefined) {
    const [key] = rest
    return [names.option(id), ...(key === undefined ? [] : [names.setting(key)])].join(' › ')
  }
  if (area === 'purchaseOptions' && id !== undefined) return names.option(id)
  return area === '' ? '' : `${AREA_NAMES.get(area) ?? area}`
}

const AREA_NAMES: ReadonlyMap<string, string> = new Map([
  ['acknowledgements', 'Please confirm'],
  ['permissions', 'Permissions'],
  ['purchaseOptions', 'Purchase options'],
  ['settings', 'Settings'],
  ['termsDocument', 'Terms and conditions'],
])

/** Every change between two definitions, and where, as a developer reads it. */
export function changeList(changes: readonly Change[]): Html {
  const ordered = [...changes].sort((a, b) => Number(b.breaking) - Number(a.breaking))
  return html`<ul class="changes">${ordered.map(
    ({ kind, pointer, detail, breaking }) =>
      // Said once: a change without more to say has the meaning of its kind as its detail.
      html`<li>${breaking && html`${stateBadge('off', 'Breaking')} `}${CHANGE_TEXTS[kind]}
<span class="fine"><code>${place(pointer)}</code>${detail !== CHANGE_KINDS[kind].meaning && html` <bdi>${detail}</bdi>`}</span>
</li>
`,
  )}</ul>`
}

/** `/settings/premium/margin` -> `settings › premium › margin`. */
function place(pointer: string): string {
  return partsOf(pointer).join(' › ')
}

function partsOf(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}
