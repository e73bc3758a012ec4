import { expect, test } from 'vitest'
import { inPageOrder, problemsOn } from '../../../src/web/shared/forms/form-problems.ts'
import { html } from '../../../src/web/shared/page/html.ts'

const PAGE = html`<input id="name"><input id="email"><input id="role">`
const problem = (field: string | undefined) => ({ field, text: `About ${field}.` })
const fields = (problems: readonly { field: string | undefined }[]) =>
  problems.map(({ field }) => field)

test('problems come in the order of their controls on the page, and first those of none', () => {
  const problems = ['role', 'name', undefined, 'email'].map(problem)
  expect(fields(inPageOrder(PAGE, problems))).toEqual([undefined, 'name', 'email', 'role'])
})

test('a problem of a control that the page does not have any more is not told', () => {
  const problems = ['role', 'gone', undefined].map(problem)
  expect(fields(problemsOn(PAGE, problems))).toEqual([undefined, 'role'])
})
