import { describe, expect, it } from 'vitest'
import {
  CHANGE_KINDS,
  Change,
  type ChangeKind,
} from '../../../../src/marketplace/apps/versions/change-kinds.ts'
import {
  compareDefinitions,
  isBreaking,
  type TermsHashes,
} from '../../../../src/marketplace/apps/versions/compare-definitions.ts'
import { changeList } from '../../../../src/web/shared/app-parts/definition-changes-view.ts'
import { render } from '../../../../src/web/shared/page/html.ts'
import { demoApp, type Edits, edited, validApp } from '../../../setup/apps-arbitraries.ts'

/** A number setting `n` in the profile `premium`, which the demo definition lacks. */
const n = (more: object): Edits => ({
  '/settings/premium/n': { type: 'number', name: 'N', ...more },
})

const NONE: Edits = {}
const region = '/settings/free/region/options'

/** Kind, pointer, and what the demo definition is edited to before and after. */
type Case = [ChangeKind, string, Edits, Edits, TermsHashes?]

/** A case in which the pointer of the change leads to the edited value itself. */
const changed = (kind: ChangeKind, pointer: string, value: unknown): Case => [
  kind,
  pointer,
  NONE,
  { [pointer]: value },
]

const CASES: Case[] = [
  changed('version_changed', '/version', '2'),
  changed('listing_changed', '/name', 'Other'),
  changed('listing_changed', '/description', 'Other'),
  changed('listing_changed', '/websiteUrl', null),
  changed('listing_changed', '/supportUrl', 'https://x.example'),
  changed('release_notes_changed', '/releaseNotes', 'Other'),
  changed('auth_return_url_changed', '/authReturnUrl', null),
  changed('redirect_changed', '/tokenDelivery', 'code'),
  changed('redirect_changed', '/redirectErrors', 'return'),
  ['party_type_added', '/partyTypes/Buyer', { '/partyTypes': ['Seller'] }, NONE],
  ['party_type_removed', '/partyTypes/Buyer', NONE, { '/partyTypes': ['Seller'] }],
  ['permission_added', '/permissions/products:read', { '/permissions/0': undefined }, NONE],
  ['permission_removed', '/permissions/products:read', NONE, { '/permissions/0': undefined }],
  [
    'permission_purpose_changed',
    '/permissions/products:read/purpose',
    NONE,
    { '/permissions/0/purpose': 'Other' },
  ],
  ['option_added', '/purchaseOptions/basic', { '/purchaseOptions/1': undefined }, NONE],
  ['option_removed', '/purchaseOptions/basic', NONE, { '/purchaseOptions/1': undefined }],
  ...(
    [
      ['option_model_changed', 1, 'basic', 'pricingModel', 'FlatMonthly'],
      ['option_currency_changed', 1, 'basic', 'currency', 'EUR'],
      ['option_price_changed', 1, 'basic', 'monthlyRate', 18],
      ['option_price_changed', 2, 'premium', 'bucketSize', 500],
      ['option_price_changed', 2, 'premium', 'ratePerBucket', 6],
      ['option_price_changed', 2, 'premium', 'baseFee', 0],
      ['option_presentation_changed', 1, 'basic', 'name', 'Other'],
      ['option_presentation_changed', 1, 'basic', 'description', 'Other'],
      ['option_presentation_changed', 1, 'basic', 'order', 9],
    ] as const
  ).map(
    ([kind, index, id, field, value]): Case => [
      kind,
      `/purchaseOptions/${id}/${field}`,
      NONE,
      { [`/purchaseOptions/${index}/${field}`]: value },
    ],
  ),
  ['setting_added', '/settings/premium/n', NONE, n({})],
  ['mandatory_setting_added', '/settings/premium/n', NONE, n({ mandatory: true })],
  ['setting_removed', '/settings/premium/n', n({}), NONE],
  ...(
    [
      ['setting_retyped', 'type', {}, { type: 'boolean' }],
      ['setting_scope_changed', 'scope', {}, { scope: 'admin' }],
      ['setting_made_mandatory', 'mandatory', {}, { mandatory: true }],
      ['setting_made_optional', 'mandatory', { mandatory: true }, {}],
      ['setting_narrowed', 'min', { min: 0 }, { min: 1 }],
      ['setting_narrowed', 'min', {}, { min: 1 }],
      ['setting_narrowed', 'max', { max: 9 }, { max: 8 }],
      ['setting_narrowed', 'max', {}, { max: 8 }],
      ['setting_narrowed', 'step', {}, { step: 1 }],
      ['setting_narrowed', 'step', { step: 0.1 }, { step: 0.2 }],
      ['setting_narrowed', 'max', { min: 0, max: 9, step: 3 }, { min: 0, max: 8, step: 3 }],
      ['setting_widened', 'max', { min: 0, max: 10, step: 3 }, { min: 0, max: 9, step: 3 }],
      ['setting_widened', 'max', { max: -0.1, step: 0.3 }, { max: -0.3, step: 0.3 }],
      ['setting_widened', 'min', { min: 1 }, { min: 0 }],
      ['setting_widened', 'max', { max: 1 }, {}],
      ['setting_widened', 'step', { step: 0.2 }, { step: 0.1 }],
      ['setting_widened', 'step', { step: 1 }, {}],
      ['setting_presentation_changed', 'name', {}, { name: 'Other' }],
      ['setting_presentation_changed', 'order', {}, { order: 7 }],
    ] as const
  ).map(
    ([kind, field, before, after]): Case => [
      kind,
      `/settings/premium/n/${field}`,
      n(before),
      n(after),
    ],
  ),
  changed('setting_presentation_changed', '/settings/premium/erpUser/placeholder', 'joe'),
  changed('setting_presentation_changed', '/settings/premium/erpUser/description', 'Other'),
  ['select_option_added', `${region}/x`, NONE, { [`${region}/3`]: { name: 'X', value: 'x' } }],
  ['select_option_removed', `${region}/eu`, NONE, { [`${region}/0`]: undefined }],
  ['select_option_retyped', `${region}/5/value`, NONE, { [`${region}/2/value`]: '5' }],
  ['select_option_renamed', `${region}/5/name`, NONE, { [`${region}/2/name`]: 'Five' }],
  [
    'select_options_reordered',
    region,
    NONE,
    {
      [region]: [
        { name: 'Zone 5', value: 5 },
        { name: 'Europe', value: 'eu' },
        { name: 'North America', value: 'na' },
      ],
    },
  ],
  [
    'acknowledgement_added',
    '/acknowledgements/overwrites-prices',
    { '/acknowledgements': [] },
    NONE,
  ],
  [
    'acknowledgement_removed',
    '/acknowledgements/overwrites-prices',
    NONE,
    { '/acknowledgements': [] },
  ],
  ...(
    [
      ['acknowledgement_changed', 'title', 'Other'],
      ['acknowledgement_changed', 'text', 'Other'],
      ['acknowledgement_reordered', 'order', 4],
    ] as const
  ).map(
    ([kind, field, value]): Case => [
      kind,
      `/acknowledgements/overwrites-prices/${field}`,
      NONE,
      { [`/acknowledgements/0/${field}`]: value },
    ],
  ),
  ['terms_document_added', '/termsDocument', NONE, NONE, { before: null, after: 'a' }],
  ['terms_document_changed', '/termsDocument', NONE, NONE, { before: 'b', after: 'a' }],
  ['terms_document_removed', '/termsDocument', NONE, NONE, { before: 'b', after: null }],
]

const demo = (edits: Edits) => validApp(edited(demoApp('price-sync'), edits))

describe('compareDefinitions', () => {
  it.each(CASES)('finds %s at %s and nothing else', (kind, pointer, before, after, terms) => {
    const changes = compareDefinitions(demo(before), demo(after), terms)
    const { breaking } = CHANGE_KINDS[kind]
    expect(changes).toEqual([{ kind, pointer, breaking, detail: expect.stringMatching(/./) }])
    expect(Change.array().parse(changes)).toEqual(changes)
    expect(isBreaking(changes)).toBe(breaking)
  })

  it('has a case for every kind there is', () => {
    expect(new Set(CASES.map(([kind]) => kind))).toEqual(new Set(Object.keys(CHANGE_KINDS)))
  })

  it('takes a shifted step grid for narrowed: 0, 1, 2 is not 0.5, 1.5', () => {
    const changes = compareDefinitions(demo(n({ min: 0.5, step: 1 })), demo(n({ min: 0, step: 1 })))
    expect(changes.map(({ kind, pointer }) => [kind, pointer])).toEqual([
      ['setting_widened', '/settings/premium/n/min'],
      ['setting_narrowed', '/settings/premium/n/step'],
    ])
  })

  it('names both values, shortened when they are long', () => {
    const [renamed] = compareDefinitions(demo(NONE), demo({ '/name': 'Other' }))
    expect(renamed?.detail).toBe('changed from "Price Sync" to "Other"')
    const [described] = compareDefinitions(demo(NONE), demo({ '/description': 'x'.repeat(4000) }))
    expect(described?.detail.length).toBeLessThan(200)
  })

  const described = (from: string, to: string) => {
    const description = (text: string) => demo({ '/description': text })
    return compareDefinitions(description(from), description(to))[0]?.detail ?? ''
  }
  const same = 'It has always been like this. '.repeat(20)

  it('shows of long texts what differs, not what is the same', () => {
    const detail = described(`${same}You pay 5 euros.${same}`, `${same}You pay 7 euros.${same}`)
    expect(detail).toMatch(/^changed from "….*You pay 5 euros\..*…" to "….*You pay 7 euros\..*…"$/)
  })

  it('cuts no character in two', () => {
    const smiles = '😀'.repeat(100)
    for (const left of [same, `.${same}`]) {
      for (const right of [smiles, `.${smiles}`, same]) {
        const texts = [`${left}${smiles}A${right}`, `${left}${smiles}B${right}`] as const
        expect(described(...texts)).toMatch(/^changed from "….*A.*…" to "….*B.*…"$/)
        expect(described(...texts).isWellFormed()).toBe(true)
      }
    }
    expect(described('', `x${smiles}`).isWellFormed()).toBe(true)
  })

  it.each([
    ['at the beginning', `a${same}`, `b${same}`],
    ['at the end', `${same}a`, `${same}b`],
    ['by a part that is gone', `${same}Middle.${same}`, `${same}${same}`],
    ['by a repetition', 'x'.repeat(300), 'x'.repeat(301)],
    ['throughout', 'y'.repeat(300), 'z'.repeat(300)],
    ['by emoji', `${same}🦊${same}`, `${same}🦁${same}`],
    ['from nothing', '', same],
  ])('shows two long texts that differ %s as different, with closed quotes', (_where, from, to) => {
    const sides = /^changed from (".*") to (".*")$/.exec(described(from, to)) ?? []
    const [before, after]: unknown[] = sides.slice(1).map((side) => JSON.parse(side))
    expect([before, after]).toEqual([expect.any(String), expect.any(String)])
    expect(before).not.toBe(after)
    expect(sides[0]?.length).toBeLessThan(200)
  })

  it('says once what a page lists once', () => {
    const changes = compareDefinitions(demo(NONE), demo({ '/purchaseOptions/1': undefined }))
    const list = render(changeList(changes))
    expect(list.match(/Purchase option removed/g)).toHaveLength(1)
  })

  it('does not report the settings of an option that comes or goes', () => {
    const without = demo({ '/purchaseOptions/2': undefined, '/settings/premium': undefined })
    const kinds = (changes: { kind: string }[]) => changes.map(({ kind }) => kind)
    expect(kinds(compareDefinitions(demo(NONE), without))).toEqual(['option_removed'])
    expect(kinds(compareDefinitions(without, demo(NONE)))).toEqual(['option_added'])
  })
})
