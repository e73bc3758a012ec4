import { isBlank } from '../../base/values/text.ts'
import type { FieldError } from '../../errors.ts'
import type { AppDefinition } from './definition.ts'
import { TEMPLATE } from './template.ts'

/** What a visitor of the catalogue reads of an app, or is led to. */
type Shown = Pick<AppDefinition, 'name' | 'description' | (typeof ADDRESSES)[number]> & {
  permissions: readonly { id: string; purpose: string }[]
}

const ADDRESSES = ['authReturnUrl', 'websiteUrl', 'supportUrl'] as const

/**
 * What an app lacks to be shown in the catalogue; empty when it is complete. The texts and addresses
 * of the template count as missing: nobody has written them for this app.
 */
export function missingForListing(definition: Shown): FieldError[] {
  const { name, description, permissions } = definition
  const errors: FieldError[] = []
  if (isOfTemplate(name)) {
    errors.push({ pointer: '/name', detail: 'Give the app a name of its own.' })
  }
  if (isBlank(description)) {
    errors.push({ pointer: '/description', detail: 'A listed app must say what it does.' })
  } else if (isOfTemplate(description)) {
    errors.push({
      pointer: '/description',
      detail: 'Say what this app does: this is the text of the template.',
    })
  }
  if (permissions.length === 0) {
    errors.push({
      pointer: '/permissions',
      detail: 'A listed app must ask for at least one permission.',
    })
  }
  for (const [index, { id, purpose }] of permissions.entries()) {
    if (isBlank(purpose) || isOfTemplate(purpose)) {
      errors.push({
        pointer: `/permissions/${index}/purpose`,
        detail: `Say why the app needs ${id}: users read it.`,
      })
    }
  }
  for (const member of ADDRESSES) {
    const address = definition[member]
    if (address === null || !isTemplateAddress(address)) continue
    errors.push({
      pointer: `/${member}`,
      detail: 'Enter an address of your own, or remove it: this is the one of the template.',
    })
  }
  return errors
}

const TEMPLATE_TEXTS: ReadonlySet<string> = new Set(
  [TEMPLATE.name, TEMPLATE.description, ...TEMPLATE.permissions.map(({ purpose }) => purpose)].map(
    textKey,
  ),
)

function isOfTemplate(text: string): boolean {
  return TEMPLATE_TEXTS.has(textKey(text))
}

/** A text without what makes it no other text: case, spaces, marks, and what is invisible. */
function textKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The host of the template and its subdomains, whatever stands before and after them. */
function isTemplateAddress(address: string): boolean {
  const template = new URL(TEMPLATE.websiteUrl).hostname
  const host = URL.parse(address)?.hostname.replace(/\.$/, '') ?? ''
  return host === template || host.endsWith(`.${template}`)
}
