import { expect, test } from 'vitest'
import { errorOfBody } from '../../client/src/errors.ts'

const messageOf = (problem: object) =>
  errorOfBody({ code: 'conflict', ...problem }, new Response(null, { status: 409 })).message

test('the message of an error says what is wrong before it says what to do', () => {
  const title = 'No live installation of your apps has this id'
  const detail = 'List your installations with GET /v1/Developer/Installations.'
  expect(messageOf({ title, detail })).toBe(`${title}. ${detail}`)
})

test.each([
  ['the title alone', 'It exists already.'],
  ['the title and more', 'It exists already: the app has another owner.'],
])('the message of an error whose detail says %s is the detail', (_, detail) => {
  expect(messageOf({ title: 'It exists already', detail })).toBe(detail)
})

test('the message of an error without a detail is its title, or its code', () => {
  expect(messageOf({ title: 'It exists already' })).toBe('It exists already')
  expect(messageOf({})).toBe('conflict')
})
