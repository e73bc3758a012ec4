import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author, draft, flat } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'

const CLI = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))
const README = fileURLToPath(new URL('../../../README.md', import.meta.url))

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

const get = (path: string) => call(market, 'GET', path)

describe('a developer publishes an app by API alone', () => {
  const definition = draft('tide', {
    purchaseOptions: [flat('free', 0), flat('basic', 9)],
    settings: { basic: { key: { type: 'text', name: 'Key', mandatory: true } } },
    acknowledgements: [{ id: 'ack', title: 'Mails', text: 'It sends mails.' }],
  })

  test('from nothing to listed, priced and changed', async () => {
    expect((await developer.create(definition)).status).toBe(201)
    const terms = (await developer.putTerms('tide', '# Terms')).body
    expect((await get('/v1/Apps/tide')).status).toBe(404)
    expect((await developer.list('tide')).body).toMatchObject({
      listed: true,
      termsDocument: terms,
    })
    expect((await get('/v1/Apps?q=tide')).body).toMatchObject([{ id: 'tide', version: '1.0.0' }])
    const quote = '/v1/Apps/tide/PurchaseOptions/basic/Quote?records=5'
    expect((await get(quote)).body.monthlyCost).toBe(9)

    const dearer = { ...definition, purchaseOptions: [flat('free', 0), flat('basic', 12)] }
    expect((await developer.dryRun(dearer)).body.breaking).toBe(true)
    expect((await developer.put(dearer)).body.code).toBe('version_required')
    expect((await get(quote)).body.monthlyCost).toBe(9)
    expect((await developer.put({ ...dearer, version: '2.0.0' })).status).toBe(200)
    expect((await get(quote)).body.monthlyCost).toBe(12)
    expect((await get('/v1/Apps/tide')).body).toMatchObject({
      version: '2.0.0',
      termsDocument: terms,
    })

    expect((await developer.unlist('tide')).body.listed).toBe(false)
    expect((await developer.remove('tide')).status).toBe(204)
    expect((await developer.create(definition)).body.code).toBe('already_exists')
  })
})

/** Whether there is a shell and a curl that the guide can be run with. */
function hasCurl(): boolean {
  try {
    const [, major = 0, minor = 0] =
      /^curl (\d+)\.(\d+)/.exec(
        execFileSync('bash', ['-c', 'curl --version'], { encoding: 'utf8' }),
      ) ?? []
    // The guide uses %header{...}.
    return Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 84)
  } catch {
    return false
  }
}

describe.skipIf(!hasCurl())('the guide "Publish an app" of the README', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'publish-guide-'))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  /** Runs the commands of the guide as they stand there, on the server of this test. */
  async function runGuide(): Promise<string> {
    const readme = await readFile(README, 'utf8')
    const section = /### Publish an app\n([\s\S]*?)\n##+ (?!#)/.exec(readme)?.[1] ?? ''
    const blocks = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
    expect(blocks.length).toBeGreaterThanOrEqual(6)
    const script = blocks
      .join('\n')
      .replaceAll('http://127.0.0.1:3000', market.url)
      .replaceAll('npm run cli --', `"${process.execPath}" "${CLI}"`)
    const child = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', script], {
      cwd: directory,
      env: {
        PATH: process.env.PATH ?? '',
        DEVELOPER_TOKEN: developer.token,
        DATABASE_URL: market.databaseUrl,
        SECRET_KEY: market.deps.secretKey,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
    return output
  }

  test('does what it says', async () => {
    const output = await runGuide()
    for (const shown of [
      'Shelf Watch 1.0.0 is a valid definition.',
      '"kind":"option_price_changed","pointer":"/purchaseOptions/volume/ratePerBucket","breaking":true',
      '"mediaType":"text/markdown"',
      '"listed":true',
      'ceil(12431 / 1000) = 13 buckets x 5.00 + 20.00',
      '"code":"version_required"',
    ]) {
      expect(output).toContain(shown)
    }
    const { body } = await get('/v1/Apps/shelf-watch')
    expect(body).toMatchObject({ version: '1.1.0', termsDocument: { mediaType: 'text/markdown' } })
    const versions = (await developer.versions('shelf-watch')).body
    expect(versions.map(({ version }: { version: string }) => version)).toEqual(['1.1.0', '1.0.0'])
  })
})
