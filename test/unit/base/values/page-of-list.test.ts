import { expect, test } from 'vitest'
import { nextLink } from '../../../../src/base/values/page-of-list.ts'

const next = (url: string, changes: Record<string, string | undefined> = { cursor: 'n-1' }) =>
  nextLink('https://market.example', url, changes)
const link = (url: string) => `<https://market.example${url}>; rel="next"`

test.each([
  ['/v1/Products', '/v1/Products?cursor=n-1'],
  ['/v1/Products?', '/v1/Products?cursor=n-1'],
  ['/v1/Products?limit=5&brand=A%26B', '/v1/Products?limit=5&brand=A%26B&cursor=n-1'],
  ['/v1/Products?cursor=o&limit=5', '/v1/Products?cursor=n-1&limit=5'],
  ['/v1/Products?q=a?b', '/v1/Products?q=a%3Fb&cursor=n-1'],
])('the link to the page after %s repeats its path and its other parameters', (url, expected) => {
  expect(next(url)).toBe(link(expected))
})

test('a parameter can be left out of the link', () => {
  expect(next('/v1/Events?consumer=a&type=b', { consumer: undefined, after: '7' })).toBe(
    link('/v1/Events?type=b&after=7'),
  )
})

test.each(['?q=>,</evil>;rel=next', '?q="', '?q=a\nb', '?q=é', '#>?q=1'])(
  'what a client writes in %j ends neither the address nor the header',
  (query) => {
    expect(next(`/v1/Products${query}`)).toMatch(
      /^<https:\/\/market\.example\/v1\/Products\?[\w=%&+*.-]*cursor=n-1>; rel="next"$/,
    )
  },
)
