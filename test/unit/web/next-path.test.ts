import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appIdOfPath, safeNextPath } from '../../../src/web/shared/sign-in/next-path.ts'

const OURS = 'https://marketplace.example'

/** What a browser makes of `Location: <path>` on a page of ours. */
const resolved = (path: string) => new URL(path, `${OURS}/login?next=x`)

/** Pieces that such addresses are made of, so that random ones come near the dangerous ones. */
const piece = fc.constantFrom(
  ...['/', '//', '\\', '.', '..', '%2e', '%2f', '%5c', '%00', '@', ':', '?', '#', '&', ';', '\t'],
  ...['\n', '\r', '\0', ' ', '\u00a0', '\ufeff', '／', '。', 'https:', 'javascript:', 'data:'],
  ...['evil.example', 'apps', '[::1]', 'ä', '😀', '\ud800'],
)
const address = fc
  .tuple(fc.constantFrom('', '/'), fc.array(piece, { maxLength: 12 }))
  .map(([start, pieces]) => start + pieces.join(''))

describe('where a sign-in may lead', () => {
  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/\n/evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'evil.example',
    '/apps/../..//evil.example',
    '/./%2e%2e//evil.example',
    '/.//evil.example',
    '/%2e//evil.example',
    '/a\0b',
    `/${'a'.repeat(5000)}`,
    '',
    undefined,
    null,
    7,
    ['/a', '/b'],
    { toString: () => '/a' },
  ])('%j leads to the start page', (next) => {
    expect(safeNextPath(next)).toBe('/')
  })

  test.each([
    ['/', '/'],
    ['/Apps/Authenticate/price-sync?state=a%26b', '/Apps/Authenticate/price-sync?state=a%26b'],
    ['/a#fragment', '/a'],
    ['/a/../b', '/b'],
    ['/%2f/evil.example', '/%2f/evil.example'],
    ['/ä?q=é', '/%C3%A4?q=%C3%A9'],
    ['/a?next=https://evil.example', '/a?next=https://evil.example'],
  ])('%s leads to %s', (next, path) => {
    expect(safeNextPath(next)).toBe(path)
  })

  test('every other text stays on our site, and is printable ASCII', () => {
    fc.assert(
      fc.property(fc.oneof(address, fc.string({ unit: 'binary' }), fc.webUrl()), (next) => {
        const path = safeNextPath(next)
        expect(path).toMatch(/^\/(?!\/)[\x21-\x7e]*$/)
        expect(resolved(path).origin).toBe(OURS)
        expect(resolved(path).pathname).not.toMatch(/^\/\//)
      }),
      { numRuns: 5_000 },
    )
  })

  test('allows again what it has allowed', () => {
    fc.assert(
      fc.property(address, (next) => {
        expect(safeNextPath(safeNextPath(next))).toBe(safeNextPath(next))
      }),
    )
  })
})

describe('the app that a path is about', () => {
  test.each([
    ['/Apps/Authenticate/Price-Sync', 'price-sync'],
    ['/apps/authenticate/price-sync/?state=s', 'price-sync'],
    ['/api/Apps/Authenticate/price-sync', 'price-sync'],
    ['/Apps/%41uthenticate/price%2Dsync', 'price-sync'],
    ['/apps/authenticate/%ff', '%ff'],
    ['/apps/authenticate/price-sync/x', undefined],
    ['/apps/authenticate/', undefined],
    ['/x/apps/authenticate/price-sync', undefined],
    ['/', undefined],
  ])('%s: %s', (path, appId) => {
    expect(appIdOfPath(path)).toBe(appId)
  })
})
