import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { accepted } from '../../../src/http/accept.ts'
import { preferredLines } from '../../../src/http/bodies/ndjson.ts'

test.each([
  ['text/html', 1, 0],
  ['TEXT/HTML ; Q = 0.5', 0.5, 0],
  ['text/html;level=1;q=0.3', 0.3, 0],
  ['text/html;q=0, */*', 0, 1],
  ['text/*;q=0.4, */*;q=0.2', 0, 0.2],
  ['application/*;q=0.7', 0, 0.7],
  ['application/json;q=x', 0, 0],
  ['', 0, 0],
])('%j: names HTML with %d, takes JSON with %d', (accept, html, json) => {
  const { named, any } = accepted(accept)
  expect([named('text/html'), any('application/json')]).toEqual([html, json])
})

test.each([
  ['application/x-ndjson', 'application/x-ndjson'],
  ['application/x-ndjson, */*', 'application/x-ndjson'],
  ['application/x-ndjson;q=0.5, */*;q=0.1', 'application/x-ndjson'],
  ['application/x-ndjson;q=0.5, */*', undefined],
  ['text/csv;q=0.5, application/*;q=0.6', undefined],
  ['text/csv;q=0.9, application/x-ndjson;q=0.5', 'text/csv'],
  ['application/json, application/x-ndjson, text/csv', undefined],
  ['application/x-ndjson;q=0.9, application/json;q=0.8', 'application/x-ndjson'],
  ['application/x-ndjson;q=0', undefined],
  ['*/*', undefined],
])('%j: products come as %s', (accept, type) => {
  expect(preferredLines({ headers: { accept } } as FastifyRequest)).toBe(type)
})
