import { expect, test } from 'vitest'
import {
  beyondGrant,
  isKnownScope,
  permissionsInScope,
} from '../../../../src/marketplace/oauth/scope.ts'

test('a code never gives what its installation has lost since it was made', () => {
  expect(permissionsInScope(['profile:read'], 'products:read profile:read')).toEqual([
    'profile:read',
  ])
  expect(permissionsInScope([], 'products:read')).toEqual([])
})

test('a code without a scope gives all that its installation has', () => {
  expect(permissionsInScope(['products:read', 'profile:read'], null)).toEqual([
    'products:read',
    'profile:read',
  ])
})

test('a scope names permissions, and no key of every object', () => {
  expect(isKnownScope('products:read settings:read')).toBe(true)
  for (const scope of ['constructor', '__proto__', 'products:read,settings:read', '']) {
    expect(isKnownScope(scope), scope).toBe(false)
  }
})

test('what goes beyond a grant is named', () => {
  expect(beyondGrant(['products:read'], 'products:read products:write')).toEqual(['products:write'])
})
