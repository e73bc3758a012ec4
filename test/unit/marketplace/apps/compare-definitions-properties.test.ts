import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChangeKind } from '../../../../src/marketplace/apps/versions/change-kinds.ts'
import { compareDefinitions } from '../../../../src/marketplace/apps/versions/compare-definitions.ts'
import { definitions } from '../../../setup/apps-arbitraries.ts'

/** Every kind and the kinds that may stand in its place when the change is undone. */
const REVERSE: Partial<Record<ChangeKind, ChangeKind[]>> = {
  party_type_added: ['party_type_removed'],
  party_type_removed: ['party_type_added'],
  permission_added: ['permission_removed'],
  permission_removed: ['permission_added'],
  option_added: ['option_removed'],
  option_removed: ['option_added'],
  setting_added: ['setting_removed'],
  mandatory_setting_added: ['setting_removed'],
  setting_removed: ['setting_added', 'mandatory_setting_added'],
  setting_made_mandatory: ['setting_made_optional'],
  setting_made_optional: ['setting_made_mandatory'],
  // Two step grids may each lack values of the other.
  setting_narrowed: ['setting_widened', 'setting_narrowed'],
  setting_widened: ['setting_narrowed'],
  select_option_added: ['select_option_removed'],
  select_option_removed: ['select_option_added'],
  acknowledgement_added: ['acknowledgement_removed'],
  acknowledgement_removed: ['acknowledgement_added'],
  terms_document_added: ['terms_document_removed'],
  terms_document_removed: ['terms_document_added'],
}

/**
 * The same definition with every object's keys and every list in reverse order, except the choices
 * of a select, which are displayed as they stand.
 */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed).reverse() as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).reverse()
  return Object.fromEntries(
    entries.map(([key, entry]) => [key, key === 'options' ? entry : reversed(entry)]),
  ) as T
}

describe('compareDefinitions, properties', () => {
  const terms = fc.record({
    before: fc.constantFrom(null, 'a', 'b'),
    after: fc.constantFrom(null, 'a', 'b'),
  })

  it('finds nothing between equal definitions', () => {
    fc.assert(
      fc.property(definitions, (app) => {
        expect(compareDefinitions(app, structuredClone(app))).toEqual([])
      }),
    )
  })

  it('never minds the order of keys or of lists', () => {
    fc.assert(
      fc.property(definitions, definitions, (a, b) => {
        expect(compareDefinitions(a, reversed(a))).toEqual([])
        expect(compareDefinitions(reversed(a), b)).toEqual(compareDefinitions(a, b))
        expect(compareDefinitions(a, reversed(b))).toEqual(compareDefinitions(a, b))
      }),
    )
  })

  it('is sorted by pointer and kind, without repetition', () => {
    fc.assert(
      fc.property(definitions, definitions, (a, b) => {
        const keys = compareDefinitions(a, b).map((entry) => `${entry.pointer}\u0000${entry.kind}`)
        expect(keys).toEqual([...new Set(keys)].sort())
      }),
    )
  })

  it('finds the reverse of each change when the two are swapped', () => {
    fc.assert(
      fc.property(definitions, definitions, terms, (a, b, hashes) => {
        const there = compareDefinitions(a, b, hashes)
        const back = compareDefinitions(b, a, { before: hashes.after, after: hashes.before })
        expect(back.map(({ pointer }) => pointer)).toEqual(there.map(({ pointer }) => pointer))
        there.forEach((entry, index) => {
          expect(REVERSE[entry.kind] ?? [entry.kind]).toContain(back[index]?.kind)
        })
      }),
      { numRuns: 300 },
    )
  })

  it('finds something whenever two definitions differ beyond order', () => {
    fc.assert(
      fc.property(definitions, definitions, (a, b) => {
        if (compareDefinitions(a, b).length > 0) return
        expect(canonical(a)).toEqual(canonical(b))
      }),
    )
  })
})

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(canonical).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, entry]) => [key, canonical(entry)])
}
