import type { FieldError } from '../errors.ts'
import type { AppDefinition } from './definition.ts'

/** What an app lacks to be shown in the catalogue; empty when it is complete. */
export function missingForListing(definition: AppDefinition): FieldError[] {
  const errors: FieldError[] = []
  if (definition.description.trim() === '') {
    errors.push({ pointer: '/description', detail: 'A listed app must say what it does.' })
  }
  if (definition.permissions.length === 0) {
    errors.push({
      pointer: '/permissions',
      detail: 'A listed app must ask for at least one permission.',
    })
  }
  for (const [index, { id, purpose }] of definition.permissions.entries()) {
    if (purpose.trim() === '') {
      errors.push({
        pointer: `/permissions/${index}/purpose`,
        detail: `Say why the app needs ${id}: users read it.`,
      })
    }
  }
  return errors
}
