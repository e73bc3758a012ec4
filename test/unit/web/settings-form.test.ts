import { describe, expect, test } from 'vitest'
import type { SettingsProfile } from '../../../src/marketplace/apps/settings/definitions.ts'
import { numberHint, settingsFields } from '../../../src/web/kit/settings-fields.ts'
import { settingField, settingsInput } from '../../../src/web/shared/forms/settings-form.ts'
import { render } from '../../../src/web/shared/page/html.ts'

const PROFILE = {
  margin: { name: 'Margin', type: 'number', scope: 'user', mandatory: false, order: 1 },
} as unknown as SettingsProfile

const typed = (text: string) =>
  settingsInput(PROFILE, new Map([[settingField('margin'), text]])).margin

describe('a number that is typed into a form', () => {
  test.each([
    ['12', 12],
    [' -0.5 ', -0.5],
    ['+3.', 3],
    ['.25', 0.25],
    ['1e3', 1000],
    ['0,15', 0.15],
    ['-,5', -0.5],
    ['12,75', 12.75],
    ['0,125', 0.125],
    ['1234,567', 1234.567],
    ['1,5e2', 150],
    ['1,', 1],
    ['1 500', 1500],
    ['\u2212٣٫٥', -3.5],
  ])('%s is %d', (text, value) => {
    expect(typed(text)).toBe(value)
  })

  test.each(['1,500', '-12,000', '1,234,567', '1.234,5', '1,234.5', '1 50', ',', '0x10', 'e3'])(
    '%s is left for the check to refuse',
    (text) => {
      expect(typed(text)).toBe(text)
    },
  )

  // 1 MiB of digits took an hour when the pattern was tried in every way.
  test('is not parsed when it is longer than any number', () => {
    expect(typed('0'.repeat(64))).toBe(0)
    const text = `${'0'.repeat(1_048_576)}E`
    expect(typed(text)).toBe(text)
  })
})

const TEXTS = {
  note: { name: 'Note', type: 'text', scope: 'user', mandatory: false, order: 1 },
  key: { name: 'Key', type: 'password', scope: 'user', mandatory: false, order: 2 },
} as unknown as SettingsProfile

describe('a text of several lines', () => {
  /** Texts as a browser sends them, and what there was before. */
  const sent = (fields: { note?: string; key?: string }, stored?: string) =>
    settingsInput(
      TEXTS,
      new Map(Object.entries(fields).map(([key, text]) => [settingField(key), text])),
      {
        isEdit: true,
        ...(stored !== undefined && {
          stored: { values: new Map([['note', stored]]), passwordsSet: new Set() },
        }),
      },
    )
  const PEM = '-----BEGIN PRIVATE KEY-----\nMIIBVAIBADANBg==\n-----END PRIVATE KEY-----\n'

  test.each([PEM, '{\n  "type": "service_account"\n}\n', ' a\n\n\tb ', '\na', '\n\n\nb\n\n'])(
    'keeps its lines: %j',
    (text) => {
      const lines = text.replaceAll('\n', '\r\n')
      expect(sent({ note: lines, key: lines })).toEqual({ note: text, key: text })
    },
  )

  test.each(['a\r\n', 'a\n', 'a\r\n\r\n'])('%j is the one line that was typed', (text) => {
    expect(sent({ note: text, key: text })).toEqual({ note: 'a', key: 'a' })
  })

  test.each(['\r\n', '\n\n'])('%j is nothing', (text) => {
    expect(sent({ note: text, key: text })).toEqual({})
  })

  test.each([
    ['a\r\nb', 'a\r\nb'],
    ['a\nb', 'a\r\nb'],
    ['a\rb', 'a\r\nb'],
    ['a\r\nb\rc\nd', 'a\r\nb\r\nc\r\nd'],
    ['a\n', 'a\r\n'],
    ['\r', '\r\n'],
    ['', ''],
  ])('stored as %j is the same when it comes back as %j', (stored, text) => {
    expect(sent({ note: text }, stored)).toEqual({ note: stored })
  })

  test('that was changed has line feeds', () => {
    expect(sent({ note: 'a\r\nc' }, 'a\r\nb')).toEqual({ note: 'a\nc' })
    expect(sent({ note: '' }, 'a\r\nb')).toEqual({ note: null })
  })
})

describe('the hint of a number says which numbers there are', () => {
  test.each([
    [{ min: 0, max: 100, step: 1 }, 'A whole number from 0 to 100.'],
    [{ step: 1 }, 'A whole number.'],
    [{ min: 0.5, step: 1 }, 'A number, 0.5 or more, in steps of 1.'],
    [{ min: 0, max: 1, step: 0.1 }, 'A number from 0 to 1, in steps of 0.1.'],
    [{ max: 9 }, 'A number, 9 or less.'],
    [{}, 'A number, such as 12.5.'],
  ])('%j: %s', (bounds, hint) => {
    expect(numberHint(bounds)).toBe(hint)
  })
})

test('a setting says that it may be left out, and nothing where it must be filled in', () => {
  const base = { type: 'text', scope: 'user', order: 1 }
  const profile = {
    user: { ...base, name: 'ERP user', mandatory: true },
    note: { ...base, name: 'Note', mandatory: false },
    // A box that is not checked says no.
    active: { ...base, name: 'Active', type: 'boolean', mandatory: false },
  } as unknown as SettingsProfile
  const text = render(settingsFields({ profile, problems: [] }))
  const labels = [...text.matchAll(/<label [^>]*>(.*?)<\/label>/g)].map(([, label = '']) =>
    label.replaceAll(/<[^>]*>/g, ''),
  )
  expect(labels).toEqual(['ERP user', 'Note (optional)', 'Active'])
})
