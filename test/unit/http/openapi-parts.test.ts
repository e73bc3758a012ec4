import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { MALFORMED } from '../../../src/base/values/field-errors.ts'
import { createParameters } from '../../../src/http/openapi/parameters.ts'
import { problemCodesOf } from '../../../src/http/openapi/problem-codes.ts'

const routeOf = (schema: object) =>
  ({ method: 'POST', url: '/', schema }) as unknown as RouteOptions

test('a parameter with a name becomes a component, one without stays where it is', () => {
  const parameters = createParameters()
  const params = z.object({ id: z.string().meta({ parameter: 'IdOfApp' }), other: z.string() })
  const given = ['id', 'other'].map((name) => ({ name, in: 'path', required: true }))
  const all = parameters.of({ parameters: given }, routeOf({ params }))
  expect(all).toEqual([{ $ref: '#/components/parameters/IdOfApp' }, given[1]])
  expect(parameters.components().IdOfApp).toEqual(given[0])
})

test('two different parameters cannot have one name', () => {
  const parameters = createParameters()
  const query = (description: string) => {
    const status = z.string().describe(description).meta({ parameter: 'Status' })
    const given = [{ name: 'status', in: 'query', schema: { type: 'string' } }]
    return parameters.of({ parameters: given }, routeOf({ querystring: z.object({ status }) }))
  }
  expect(query('Of apps.')).toEqual(query('Of apps.'))
  expect(() => query('Of users.')).toThrow('two parameters have the name Status')
})

test('a body whose checks are all about its shape breaks no rule', () => {
  const codes = (body: z.ZodType) => problemCodesOf(routeOf({ body }))
  const members = z.strictObject({ token: z.string().optional() })
  const isOne = ({ token }: { token?: string | undefined }) => token !== undefined
  expect(codes(members)).not.toContain('unprocessable')
  expect(codes(members.refine(isOne, { params: MALFORMED }))).not.toContain('unprocessable')
  expect(codes(members.refine(isOne))).toContain('unprocessable')
  const both = members.refine(isOne, { params: MALFORMED }).refine(isOne)
  expect(codes(both)).toContain('unprocessable')
})
