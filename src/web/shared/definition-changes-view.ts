import { CHANGE_KINDS, type Change } from '../../apps/versions/breaking-changes.ts'
import type { DefinitionNames } from './definition-names.ts'
import { type Html, html } from './html.ts'

/** What accounts read in place of what a kind of change means to developers. */
const FOR_ACCOUNTS: Partial<Record<Change['kind'], string>> = {
  option_price_changed: 'Price changed',
  acknowledgement_changed: 'The wording you accepted has changed.',
  terms_document_added: 'New terms and conditions',
  terms_document_changed: 'New terms and conditions',
}

/** Every change between two definitions as an account reads it, with names in place of ids. */
export function changesForAccount(changes: readonly Change[], names: DefinitionNames): Html {
  return html`<ul class="changes">${changes.map(({ kind, pointer, detail }) => {
    const meaning = FOR_ACCOUNTS[kind] ?? CHANGE_KINDS[kind].meaning
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
  ['acknowledgements', 'To confirm'],
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
      html`<li>${breaking && html`<span class="badge badge-off">Breaking</span> `}${CHANGE_KINDS[kind].meaning} <span class="fine"><code>${place(pointer)}</code>${detail !== CHANGE_KINDS[kind].meaning && html` <bdi>${detail}</bdi>`}</span></li>
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
