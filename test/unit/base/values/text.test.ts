import { expect, test } from 'vitest'
import { filledText } from '../../../../src/base/values/text.ts'

const BLANK = ['', ' ', '\t\u00a0\u3000', '\u200b\u2060', '\u3164\u115f', '\u2800 \u2800', '\ufe0f']

test.each(BLANK)('a text that has to show something is not %j', (value) => {
  expect(filledText('paragraph', 100).safeParse(value).success).toBe(false)
})

test.each(['x', ' 測 ', '❤️', 'a\u200bb', '.'])('a text that shows something: %j', (value) => {
  expect(filledText('paragraph', 100).safeParse(value).success).toBe(true)
})
