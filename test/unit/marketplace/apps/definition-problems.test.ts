import { describe, expect, it } from 'vitest'
import { parseAppDefinition } from '../../../../src/marketplace/apps/check-definition.ts'
import { flat } from '../../../setup/apps.ts'
import { demoApp, type Edits, edited } from '../../../setup/apps-arbitraries.ts'

/** The errors of a demo definition after some edits. */
function errorsOf(edits: Edits) {
  const result = parseAppDefinition(edited(demoApp('price-sync'), edits))
  return result.ok ? [] : result.errors
}

const pointersOf = (edits: Edits) => errorsOf(edits).map(({ pointer }) => pointer)

describe('parseAppDefinition', () => {
  it('reports what is wrong beneath a wrong type, pricing model, key or id, too', () => {
    const edits = {
      '/purchaseOptions/0': { ...flat('a', -1), pricingModel: 'Flat', currency: 'US', foo: 1 },
      '/purchaseOptions/1': { ...flat('b', 0.005), pricingModel: 7 },
      '/purchaseOptions/2': { id: 'c', currency: 'usd' },
      '/purchaseOptions/3': [],
      '/settings': {
        a: { 'no key': { type: 'txt', name: '', min: 'x' }, list: { type: 'list', options: [5] } },
        'no id': { one: { type: 'number', name: 'One', step: 0 } },
      },
      '/authReturnUrl': 'https://a.example/?code=1',
      '/tokenDelivery': 'code',
      '/websiteUrl': 5,
    }
    expect(pointersOf(edits).toSorted()).toEqual([
      '/authReturnUrl',
      '/purchaseOptions/0/currency',
      '/purchaseOptions/0/foo',
      '/purchaseOptions/0/monthlyRate',
      '/purchaseOptions/0/pricingModel',
      '/purchaseOptions/1/monthlyRate',
      '/purchaseOptions/1/pricingModel',
      '/purchaseOptions/2/currency',
      '/purchaseOptions/2/name',
      '/purchaseOptions/2/pricingModel',
      '/purchaseOptions/3',
      '/settings/a/list/name',
      '/settings/a/list/options/0',
      '/settings/a/list/type',
      '/settings/a/no key',
      '/settings/a/no key/min',
      '/settings/a/no key/name',
      '/settings/a/no key/type',
      '/settings/no id',
      '/settings/no id/one/step',
      '/websiteUrl',
    ])
  })

  it.each([
    [{ '/partyTypes/0': 'Sellers' }, 'must be one of "Buyer", "Seller"; did you mean "Seller"?'],
    [
      { '/purchaseOptions/0/pricingModel': 'Flat' },
      /did you mean "FlatMonthly" or "FlatAnnual"\?$/,
    ],
    [{ '/settings/premium/dryRun/type': 'Bool' }, /did you mean "boolean"\?$/],
    [{ '/settings/premium/dryRun/type': 'txt' }, /did you mean "text"\?$/],
    [{ '/settings/premium/dryRun/scope': 'Admin' }, /did you mean "admin"\?$/],
    [{ '/purchaseOptions/0/currency': 'usd' }, /did you mean "USD"\?$/],
    [{ '/tokenDelivery': 'codes' }, /did you mean "code"\?$/],
    [{ '/supporturl': 1 }, 'is not a known attribute; did you mean "supportUrl"?'],
    [{ '/purchaseOptions/0/Name': 1 }, /did you mean "name"\?$/],
    [{ '/acknowledgements/0/titel': 1 }, /did you mean "title"\?$/],
    [{ '/settings/premium/dryRun/required': 1 }, /it has type, name, mandatory, order, scope$/],
    [{ '/foo': 1 }, 'is not a known attribute'],
  ])('says what was probably meant: %j', (edits, detail) => {
    const details = errorsOf(edits as Edits).map((error) => error.detail)
    const match = typeof detail === 'string' ? detail : expect.stringMatching(detail)
    expect(details).toContainEqual(match)
  })

  it('says of each unknown key what was meant, of as many as it names', () => {
    const keys = Array.from({ length: 300 }, (_, at) => [`/x${at}`, 1])
    const errors = errorsOf({ ...Object.fromEntries(keys), '/nam': 1 } as Edits)
    expect(errors).toHaveLength(100)
    expect(errorsOf({ '/nam': 1, '/foo': 1, '/versoin': 2 }).map(({ detail }) => detail)).toEqual([
      'is not a known attribute; did you mean "name"?',
      'is not a known attribute',
      'is not a known attribute; did you mean "version"?',
    ])
  })
})
