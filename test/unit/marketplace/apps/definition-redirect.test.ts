import { describe, expect, it } from 'vitest'
import { parseAppDefinition } from '../../../../src/marketplace/apps/check-definition.ts'
import { demoApp, type Edits, edited } from '../../../setup/apps-arbitraries.ts'

const pointersOf = (edits: Edits) => {
  const result = parseAppDefinition(edited(demoApp('price-sync'), edits))
  return result.ok ? [] : result.errors.map(({ pointer }) => pointer)
}
const taken = { '/authReturnUrl': 'https://a.example/cb?code=1' }

describe('a definition', () => {
  it.each([{ '/tokenDelivery': 'code' }, { '/redirectErrors': 'return' }])(
    'with %j leaves the parameters of answers free in its return address',
    (edits) => {
      expect(pointersOf({ ...edits, ...taken })).toEqual(['/authReturnUrl'])
      expect(pointersOf(edits)).toEqual([])
    },
  )

  it('hears once what is wrong with its return address', () => {
    const edits = { '/tokenDelivery': 'code', '/authReturnUrl': 'http://a.example/cb' }
    expect(pointersOf(edits)).toEqual(['/authReturnUrl'])
  })

  it('may have them in its return address otherwise', () => {
    expect(pointersOf(taken)).toEqual([])
  })

  it('knows no other words for what the redirect does', () => {
    expect(pointersOf({ '/tokenDelivery': 'fragment', '/redirectErrors': true }).sort()).toEqual([
      '/redirectErrors',
      '/tokenDelivery',
    ])
  })
})
