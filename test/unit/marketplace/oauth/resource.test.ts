import { describe, expect, test } from 'vitest'
import { isOwnResource } from '../../../../src/marketplace/oauth/resource.ts'

describe('the resource of a token', () => {
  test.each([
    ['https://market.example', 'https://market.example'],
    ['https://market.example/', 'https://market.example'],
    ['HTTPS://Market.EXAMPLE', 'https://market.example'],
    ['https://market.example:443/', 'https://market.example'],
    ['http://market.example:80', 'http://market.example'],
    ['http://market.example', 'http://market.example:80'],
  ])('%s is the server at %s', (resource, publicUrl) => {
    expect(isOwnResource(resource, publicUrl)).toBe(true)
  })

  test.each([
    'https://other.example',
    'http://market.example',
    'https://market.example:8443',
    'https://market.example//',
    'https://market.example/v1',
    'https://market.example/?',
    'https://market.example/#',
    'https://user@market.example',
    'https://@market.example',
    ' https://market.example',
    'https://market.example\\',
    'https:market.example',
    'market.example',
    'https://',
    '',
    '\u0000',
  ])('%j is not', (resource) => {
    expect(isOwnResource(resource, 'https://market.example')).toBe(false)
  })
})
