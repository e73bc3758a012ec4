import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Author, author, draft, everything, flat } from '../setup/apps.ts'
import { runCli } from '../setup/cli.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const DEMO = fileURLToPath(new URL('../../demo/apps/', import.meta.url))

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'app-check-'))
  process.chdir(directory)
})
afterAll(async () => {
  process.chdir(ROOT)
  await rm(directory, { recursive: true, force: true })
})

/** Runs `app check`, without a database unless `env` names one. */
async function check(args: string[], env: Record<string, string> = {}) {
  const result = await runCli(join(directory, 'data'), ['app', 'check', ...args], { env })
  expect(result.stderr).not.toMatch(/\bat .+:\d+:\d+/)
  return result
}

async function file(name: string, content: unknown): Promise<string> {
  const isRaw = typeof content === 'string' || content instanceof Uint8Array
  await writeFile(join(directory, name), isRaw ? content : JSON.stringify(content))
  return name
}

describe('app check without a database', () => {
  test.each(['price-sync', 'catalog-sync', 'stock-watch'])(
    '%s of the demo is valid',
    async (id) => {
      const { code, stdout, stderr } = await check([join(DEMO, `${id}.json`)])
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toContain('is a valid definition.')
      expect(stdout).toContain('There is no database to compare with')
      expect(await readdir(directory)).not.toContain('data')
    },
  )

  test('prints every problem with its pointer and exits 1', async () => {
    const name = await file(
      'invalid.json',
      draft('New', {
        listed: true,
        purchaseOptions: [flat('free', -1, { currency: 'usd' })],
        settings: { free: { key: { type: 'number', name: 'N', min: 2, max: 1 } }, nope: {} },
        authReturnUrl: 'javascript:alert(1)',
      }),
    )
    const { code, stdout, stderr } = await check([name])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.split('\n')[0]).toBe('invalid.json has 7 problems:')
    for (const pointer of [
      '/id',
      '/purchaseOptions/0/monthlyRate',
      '/purchaseOptions/0/currency',
      '/settings/free/key/max',
      '/settings/nope',
      '/authReturnUrl',
    ]) {
      expect(stderr).toContain(`\n  ${pointer} (line 1): `)
    }
    expect(stderr).toContain('\n  /listed (line 1): is read-only')
  })

  test('prints the line of a problem', async () => {
    const text = JSON.stringify({ ...draft('lined-app'), supportUrl: 'nowhere' }, null, 2)
    const line = text.slice(0, text.indexOf('"supportUrl"')).split('\n').length
    const { stderr } = await check([await file('lined.json', text)])
    expect(stderr).toContain(`\n  /supportUrl (line ${line}): `)
  })

  test('a hostile key is a problem, not a prototype', async () => {
    const name = await file('proto.json', '{"__proto__":{"id":"x"},"id":"my-app"}')
    const { code, stderr } = await check([name])
    expect(code).toBe(1)
    expect(stderr).toMatch(/\n {2}\/__proto__ \(line 1\): /)
  })

  test.each(['[]', 'null', '5', '"x"'])('%s as a whole exits 1', async (text) => {
    const { code, stderr } = await check([await file('whole.json', text)])
    expect(code).toBe(1)
    expect(stderr).toContain('the whole: must be an object')
  })

  test.each<[string, string | Uint8Array | undefined, RegExp]>([
    ['a file that is not there', undefined, /^Cannot read /],
    ['a file that is not JSON', '{"id":', /is not JSON in UTF-8/],
    ['an empty file', '', /is not JSON in UTF-8/],
    ['a file in Latin-1', Buffer.from('{"name":"Gebühr"}', 'latin1'), /is not JSON in UTF-8/],
  ])('%s exits 1 with one line', async (_, content, message) => {
    const name = content === undefined ? 'missing.json' : await file('unreadable.json', content)
    const { code, stdout, stderr } = await check([name])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  test('no file, two files and unknown options exit 2, a directory 1', async () => {
    for (const args of [[], ['a.json', 'b.json'], ['a.json', '--nope', 'x']]) {
      expect((await check(args)).code).toBe(2)
    }
    expect((await check(['.'])).code).toBe(1)
  })

  test('a byte order mark is accepted, as by the server', async () => {
    const name = await file('bom.json', `\ufeff${JSON.stringify(draft('bom-app'))}`)
    expect((await check([name])).code).toBe(0)
  })
})

describe('app check --against a file', () => {
  beforeAll(async () => {
    await file('old.json', draft('my-app'))
  })
  const against = async (changes: Record<string, unknown>, old = 'old.json') =>
    check([await file('next.json', draft('my-app', changes)), '--against', old])

  test('says when nothing changes', async () => {
    const { code, stdout } = await against({})
    expect(code).toBe(0)
    expect(stdout).toContain('the same as the published definition')
  })

  test('lists harmless changes and exits 0', async () => {
    const { code, stdout } = await against({ description: 'Other' })
    expect(code).toBe(0)
    expect(stdout).toContain('  harmless  listing_changed  /description: ')
  })

  test('breaking changes without a new version exit 1 and name each', async () => {
    const { code, stdout, stderr } = await against({ permissions: [], description: 'Other' })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('  BREAKING  permission_removed  /permissions/products:read: ')
    expect(stderr).toContain('need a new version string')
  })

  test('with a new version they exit 0', async () => {
    const { code, stdout } = await against({ permissions: [], version: '2' })
    expect(code).toBe(0)
    expect(stdout).toContain('BREAKING  permission_removed')
  })

  test('the definition of another app, or an unreadable one, exits 1', async () => {
    await file('other.json', draft('other-app'))
    const { code, stderr } = await against({}, 'other.json')
    expect(code).toBe(1)
    expect(stderr).toContain('another app')
    expect((await against({}, 'missing.json')).code).toBe(1)
  })

  test('an invalid one exits 1 and says which file', async () => {
    await file('bad.json', draft('my-app', { version: '' }))
    const { code, stderr } = await against({}, 'bad.json')
    expect(code).toBe(1)
    expect(stderr).toContain('bad.json has 1 problem:')
  })
})

describe('app check with a database', { timeout: 300_000 }, () => {
  let market: TestMarketplace
  let developer: Author
  beforeAll(async () => {
    market = await startMarketplace()
    developer = await author(market)
    await developer.create(draft('my-app'))
    await developer.put(draft('my-app', { version: '2', permissions: [] }))
    await developer.create(draft('gone'))
    await developer.remove('gone')
  })
  afterAll(() => market.close())

  const checkHere = async (definition: object) => {
    const env = { DATABASE_URL: market.databaseUrl, SECRET_KEY: market.deps.config.secretKey ?? '' }
    const before = await everything(market)
    const result = await check([await file('here.json', definition)], env)
    expect(await everything(market)).toEqual(before)
    return result
  }

  test('compares with what is published, and changes nothing', async () => {
    const same = await checkHere(draft('my-app', { version: '2', permissions: [] }))
    expect([same.code, same.stdout.includes('the same as the published definition')]).toEqual([
      0,
      true,
    ])
    const harmless = await checkHere(
      draft('my-app', { version: '2', permissions: [], description: 'x' }),
    )
    expect([harmless.code, harmless.stdout.includes('harmless')]).toEqual([0, true])
    const breaking = await checkHere(draft('my-app', { version: '2' }))
    expect([breaking.code, breaking.stderr.includes('BREAKING  permission_added')]).toEqual([
      1,
      true,
    ])
  })

  test('knows the version strings, ids and names that were used', async () => {
    const used = await checkHere(
      draft('my-app', { version: '1.0.0', permissions: [{ id: 'profile:read', purpose: 'x' }] }),
    )
    expect([used.code, used.stderr.includes('was published with another definition')]).toEqual([
      1,
      true,
    ])
    expect((await checkHere(draft('my-app'))).code).toBe(0)
    const gone = await checkHere(draft('gone'))
    expect([gone.code, gone.stderr.includes('ids are never used again')]).toEqual([1, true])
    const name = await checkHere(draft('new-app', { name: 'PRICE SYNC' }))
    expect([name.code, name.stderr.includes('Another app has this name')]).toEqual([1, true])
    const fresh = await checkHere(draft('new-app'))
    expect([fresh.code, fresh.stdout.includes('It is not published yet.')]).toEqual([0, true])
  })
})
