import { expect, test } from 'vitest'
import {
  pageEtag,
  pageTag,
  unchangedEtag,
} from '../../../../src/marketplace/products/pages/page-etag.ts'

const tag = pageTag('4:17', '4|100|0|')

test('another state of the catalogue and another page have another tag', () => {
  expect(tag).toMatch(/^[\w-]{22}$/)
  expect(pageTag('4:17', '4|100|0|')).toBe(tag)
  expect(pageTag('4:18', '4|100|0|')).not.toBe(tag)
  expect(pageTag('4:17', '4|100|9|')).not.toBe(tag)
})

test.each([
  ['the page as it is', pageEtag(tag), pageEtag(tag)],
  ['the page in gzip', pageEtag(tag, 'gzip'), pageEtag(tag, 'gzip')],
  ['the page in br, made weak on the way', `W/${pageEtag(tag, 'br')}`, pageEtag(tag, 'br')],
  ['one of several', `"other", ${pageEtag(tag, 'br')}`, pageEtag(tag, 'br')],
  ['whatever there is', '*', pageEtag(tag)],
  ['another page', pageEtag(pageTag('4:18', '4|100|0|')), undefined],
  ['a coding that we do not have', `"${tag}-zstd"`, undefined],
  ['no ETag', tag, undefined],
])('If-None-Match with %s', (_what, ifNoneMatch, unchanged) => {
  expect(unchangedEtag(ifNoneMatch, tag)).toBe(unchanged)
})
