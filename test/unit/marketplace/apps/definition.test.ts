import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LIMITS } from '../../../../src/base/values/definition-limits.ts'
import { nearest } from '../../../../src/base/values/field-errors.ts'
import { parseAppDefinition } from '../../../../src/marketplace/apps/check-definition.ts'
import {
  AppDefinition,
  acknowledgementSha256,
} from '../../../../src/marketplace/apps/definition.ts'
import { PERMISSIONS, Permission } from '../../../../src/marketplace/apps/permissions.ts'
import { demoApp, type Edits, edited, validApp } from '../../../setup/apps-arbitraries.ts'

const DEMO_APPS = readdirSync('demo/apps').map((file) => file.replace('.json', ''))

/** The errors of a demo definition after some edits. */
function errorsOf(edits: Edits) {
  const result = parseAppDefinition(edited(demoApp('price-sync'), edits))
  return result.ok ? [] : result.errors
}

const pointersOf = (edits: Edits) => errorsOf(edits).map(({ pointer }) => pointer)

describe('the demo definitions', () => {
  it.each(DEMO_APPS)('%s is valid', (id) => {
    expect(validApp(demoApp(id)).id).toBe(id)
  })

  it('use every pricing model, setting type and permission, an acknowledgement and a return URL', () => {
    const apps = DEMO_APPS.map((id) => validApp(demoApp(id)))
    const options = apps.flatMap((app) => app.purchaseOptions)
    const settings = apps.flatMap((app) => Object.values(app.settings).flatMap(Object.values))
    const sorted = (values: string[]) => [...new Set(values)].sort()
    expect(sorted(options.map((option) => option.pricingModel))).toEqual([
      'FlatAnnual',
      'FlatMonthly',
      'TieredBuckets',
    ])
    expect(sorted(settings.map((setting) => setting.type))).toEqual([
      'boolean',
      'number',
      'password',
      'select',
      'text',
    ])
    expect(sorted(settings.map((setting) => setting.scope))).toEqual(['admin', 'user'])
    expect(sorted(apps.flatMap((app) => app.permissions.map(({ id }) => id)))).toEqual(
      PERMISSIONS.map(({ id }) => id).sort(),
    )
    expect(apps.some((app) => app.acknowledgements.length > 0)).toBe(true)
    expect(apps.some((app) => app.authReturnUrl !== null)).toBe(true)
  })
})

describe('parseAppDefinition', () => {
  it('needs id, name, partyTypes, version and purchaseOptions; the rest is empty', () => {
    const result = parseAppDefinition({})
    expect(result).toMatchObject({ ok: false })
    expect(result.ok ? [] : result.errors).toEqual(
      ['/id', '/name', '/partyTypes', '/version', '/purchaseOptions'].map((pointer) => ({
        pointer,
        detail: 'is required',
      })),
    )
    const { id, name, partyTypes, version, purchaseOptions } = demoApp('stock-watch')
    expect(validApp({ id, name, partyTypes, version, purchaseOptions })).toMatchObject({
      description: '',
      permissions: [],
      settings: {},
      acknowledgements: [],
      authReturnUrl: null,
      websiteUrl: null,
      supportUrl: null,
    })
  })

  it.each([null, undefined, 5, 'x', [], true])('refuses %j as a whole', (input) => {
    const result = parseAppDefinition(input)
    expect(result.ok ? [] : result.errors.map(({ pointer }) => pointer)).toEqual([''])
  })

  it('reports every problem at once, even cross-field ones beside wrong fields', () => {
    const pointers = pointersOf({
      '/id': 'New App',
      '/extra': 1,
      '/version': ' 1',
      '/partyTypes': ['Buyer', 'Buyer', 'Admin'],
      '/permissions/0/id': 'product:read',
      '/purchaseOptions/0/bucketSize': 5,
      '/purchaseOptions/1/currency': 'usd',
      '/purchaseOptions/2/bucketSize': 1.5,
      '/settings/nope': {},
      '/settings/premium/erpUser/min': 3,
      '/settings/premium/margin': { type: 'number', name: '', min: 2, max: 1, step: 0 },
      '/settings/premium/dryRun': { type: 'checkbox', name: 'x' },
      '/acknowledgements/1': { id: 'overwrites-prices', title: 'x', text: 'y' },
      '/authReturnUrl': 'javascript:alert(1)',
    })
    expect(pointers.toSorted()).toEqual([
      '/acknowledgements/1/id',
      '/authReturnUrl',
      '/extra',
      '/id',
      '/partyTypes/1',
      '/partyTypes/2',
      '/permissions/0/id',
      '/purchaseOptions/0/bucketSize',
      '/purchaseOptions/1/currency',
      '/purchaseOptions/2/bucketSize',
      '/settings/nope',
      '/settings/premium/dryRun/type',
      '/settings/premium/erpUser/min',
      '/settings/premium/margin/max',
      '/settings/premium/margin/name',
      '/settings/premium/margin/step',
      '/version',
    ])
  })

  it('escapes pointers as RFC 6901 says', () => {
    const app = { ...demoApp('price-sync'), 'a/b~c': 1 }
    const result = parseAppDefinition(app)
    expect(result.ok ? [] : result.errors[0]?.pointer).toBe('/a~1b~0c')
  })

  it('names at most 100 problems and counts the rest', () => {
    const junk = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`k${i}`, i]))
    const errors = errorsOf({ '/junk': 1, '/settings/premium/erpUser': { type: 'text', ...junk } })
    expect(errors.length).toBe(100)
    expect(errors.at(-1)?.detail).toMatch(/^and 8\d\d more problems$/)
  })

  it.each([
    ['{"__proto__": {"id": "x"}}', '/__proto__'],
    ['{"settings": {"__proto__": {}}}', '/settings/__proto__'],
    ['{"settings": {"free": {"__proto__": {"type": "text"}}}}', '/settings/free/__proto__'],
    ['{"settings": {"constructor": {}}}', '/settings/constructor'],
    ['{"settings": {"toString": {}}}', '/settings/toString'],
    ['{"settings": {"free": {"hasOwnProperty": {}}}}', '/settings/free/hasOwnProperty'],
    ['{"constructor": 1}', '/constructor'],
  ])('refuses %s with a pointer to the key', (json, pointer) => {
    const result = parseAppDefinition(JSON.parse(json))
    expect(result.ok ? [] : result.errors.map((error) => error.pointer)).toContain(pointer)
    expect(Object.prototype).not.toHaveProperty('id')
  })
})

describe('an app id', () => {
  it.each(['ab', 'price-sync', '3d-view', 'a1-b2-c3', 'x'.repeat(64)])('may be %s', (id) => {
    expect(pointersOf({ '/id': id })).toEqual([])
  })

  it.each(['a', '-ab', 'ab-', 'a--b', 'Ab', 'ä-b', 'a_b', 'a b', 'a/b', '..', '', 'ab\n', 5, null])(
    'may not be %j',
    (id) => {
      expect(new Set(pointersOf({ '/id': id }))).toEqual(new Set(['/id']))
    },
  )

  it.each(['authenticate', 'new', 'api', 'v1', 'apps', 'admin', 'login', 'logout', 'docs'])(
    'may not be the reserved word %s',
    (id) => {
      expect(errorsOf({ '/id': id })).toEqual([{ pointer: '/id', detail: 'is a reserved word' }])
    },
  )

  it('has at most 64 characters', () => {
    expect(pointersOf({ '/id': 'x'.repeat(65) })).toEqual(['/id'])
  })
})

describe('limits and texts', () => {
  const choices = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `${i}`, value: i }))
  const settings = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`k${i}`, { type: 'boolean', name: 'x' }]),
    )
  const options = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      id: `o${i}`,
      name: 'x',
      pricingModel: 'FlatMonthly',
      currency: 'USD',
      monthlyRate: 0,
    }))

  it.each<[string, Edits, string[]]>([
    ['50 choices of a select', { '/settings/free/region/options': choices(50) }, []],
    [
      '51 choices of a select',
      { '/settings/free/region/options': choices(51) },
      ['/settings/free/region/options'],
    ],
    ['100 settings', { '/settings/premium': settings(100) }, []],
    ['101 settings', { '/settings/premium': settings(101) }, ['/settings/premium']],
    ['1,000 settings', { '/settings/premium': settings(1000) }, ['/settings/premium']],
    ['20 options', { '/purchaseOptions': options(20), '/settings': {} }, []],
    ['21 options', { '/purchaseOptions': options(21), '/settings': {} }, ['/purchaseOptions']],
    ['no option', { '/purchaseOptions': [], '/settings': {} }, ['/purchaseOptions']],
    ['no party type', { '/partyTypes': [] }, ['/partyTypes']],
    ['a name of 101', { '/name': 'x'.repeat(101) }, ['/name']],
    ['1 MiB of description', { '/description': 'x'.repeat(2 ** 20) }, ['/description']],
    ['a version of 65', { '/version': '1'.repeat(65) }, ['/version']],
    ['a version of 64 emoji, each one character', { '/version': '🦊'.repeat(64) }, []],
    ['a version of 65 emoji', { '/version': '🦊'.repeat(65) }, ['/version']],
    ['a version with a line break', { '/version': '1\n2' }, ['/version']],
    ['a version with inner space', { '/version': '1.4 beta' }, []],
    ['NUL', { '/description': 'a\0b' }, ['/description']],
    ['a lone surrogate', { '/name': 'a\ud800' }, ['/name']],
    ['a line break in a name', { '/purchaseOptions/0/name': 'a\nb' }, ['/purchaseOptions/0/name']],
    ['line breaks in a description', { '/description': 'a\n\tb' }, []],
    ['HTML, which stays text', { '/description': '<script>alert(1)</script>' }, []],
    ['a blank purpose', { '/permissions/0/purpose': '  ' }, ['/permissions/0/purpose']],
    ['a name of zero-width spaces', { '/name': '\u200b\u2060' }, ['/name']],
    ['a link to javascript:', { '/websiteUrl': 'javascript:alert(1)' }, ['/websiteUrl']],
    ['no link', { '/websiteUrl': null, '/supportUrl': undefined }, []],
  ])('%s', (_, edits, pointers) => {
    expect(pointersOf(edits)).toEqual(pointers)
  })

  it('drops the space around the name of an app', () => {
    const app = validApp(edited(demoApp('price-sync'), { '/name': ' Price Sync\u3000' }))
    expect(app.name).toBe('Price Sync')
  })
})

describe('permissions', () => {
  it.each(PERMISSIONS)('$id is a complete entry of the catalogue', (entry) => {
    expect(Permission.parse(entry)).toEqual(entry)
    expect(entry.opens.every((endpoint) => /^[A-Z]+ \/v1\/[A-Z]/.test(endpoint))).toBe(true)
  })

  it.each([
    ['product:read', 'products:read'],
    ['Products:Write', 'products:write'],
    ['setting:read', 'settings:read'],
    ['profile.read', 'profile:read'],
    ['orders:delete', undefined],
    ['x'.repeat(1_000_000), undefined],
  ])('the near match of %.20s is %s', (unknown, near) => {
    expect(
      nearest(
        unknown,
        PERMISSIONS.map(({ id }) => id),
      )[0],
    ).toBe(near)
  })

  it('an unknown one is an error that names the near match', () => {
    expect(errorsOf({ '/permissions/0/id': 'product:read' })).toEqual([
      {
        pointer: '/permissions/0/id',
        detail: 'unknown permission "product:read"; did you mean "products:read"?',
      },
    ])
  })

  it('may not be asked for twice', () => {
    expect(pointersOf({ '/permissions/1/id': 'products:read' })).toEqual(['/permissions/1/id'])
  })
})

describe('acknowledgementSha256', () => {
  it('hashes title and text, and only these', () => {
    const hash = acknowledgementSha256({ title: 'a', text: 'b' })
    // printf '["a","b"]' | sha256sum
    expect(hash).toBe('0473ef2dc0d324ab659d3580c1134e9d812035905c4781fdd6d529b0c6860e13')
    expect(acknowledgementSha256({ title: 'ab', text: '' })).not.toBe(hash)
  })
})

describe('the JSON Schema', () => {
  const document = z.toJSONSchema(AppDefinition, { io: 'input', target: 'draft-2020-12' })
  const schema = document.$defs?.AppDefinition ?? document

  it('is made from the schema, with the limits in it', () => {
    expect(schema.required?.toSorted()).toEqual([
      'id',
      'name',
      'partyTypes',
      'purchaseOptions',
      'version',
    ])
    expect(schema.properties).toMatchObject({
      purchaseOptions: { minItems: 1, maxItems: LIMITS.purchaseOptionsMax },
      settings: { additionalProperties: { maxProperties: LIMITS.settingsPerProfileMax } },
    })
  })

  it('describes every field of every object', () => {
    const undescribed: string[] = []
    const walk = (node: unknown, path: string) => {
      if (typeof node !== 'object' || node === null) return
      for (const [key, child] of Object.entries(node)) {
        if (key === 'properties') {
          for (const [name, property] of Object.entries(child as object)) {
            const isDescribed = 'description' in property || '$ref' in property
            if (!isDescribed) undescribed.push(`${path}/${name}`)
          }
        }
        walk(child, `${path}/${key}`)
      }
    }
    walk(document, '')
    expect(undescribed).toEqual([])
  })
})
