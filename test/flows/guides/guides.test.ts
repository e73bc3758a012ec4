import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { startMarketplace } from '../../setup/app.ts'
import { freePort } from '../../setup/free-port.ts'
import {
  commandsOf,
  hasPython,
  hasTools,
  promisedOutput,
  pythonOf,
  readGuide,
  runGuide,
} from '../../setup/guide.ts'

const ROOT = new URL('../../../', import.meta.url)
const FILES = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...(await readdir(new URL('docs/', ROOT), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const texts = new Map(
  await Promise.all(FILES.map(async (file) => [file, await readGuide(file)] as const)),
)
const withCommands = FILES.filter((file) => commandsOf(texts.get(file) ?? '').length > 0)

test('the README and the guides to the API and to operating hold commands', () => {
  expect(withCommands).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/publish-an-app.md',
      'docs/install-by-api.md',
      'docs/receive-events.md',
      'docs/settings-and-secrets.md',
      'docs/people.md',
      'docs/backup-and-upgrade.md',
    ]),
  )
})

describe.skipIf(!hasTools())('the commands of', () => {
  test.each(withCommands)(
    '%s run as they stand, and print what is said',
    async (file) => {
      const receiverPort = await freePort()
      const market = await startMarketplace({
        config: { webhookAllowedPrivateHosts: new Set([`127.0.0.1:${receiverPort}`]) },
        background: {},
      })
      try {
        const output = await runGuide(market, file, receiverPort)
        for (const { line, pattern } of promisedOutput(texts.get(file) ?? '', market)) {
          expect(pattern.test(output), `${line}\nin\n${output}`).toBe(true)
        }
      } finally {
        await market.close()
      }
    },
    600_000,
  )
})

const withPython = FILES.filter((file) => pythonOf(texts.get(file) ?? '').length > 0)

test.skipIf(!hasPython())('python3 is there, and runs what the guides have in Python', () => {
  expect(withPython.sort()).toEqual([
    'docs/code-mode.md',
    'docs/follow-changes.md',
    'docs/http-api.md',
    'docs/import-a-catalogue.md',
    'docs/receive-events.md',
  ])
  // Each runs with the commands of its guide.
  expect(withCommands).toEqual(expect.arrayContaining(withPython))
})

/** The anchors of the headings of a text, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )

describe.each(FILES)('%s', (file) => {
  const text = texts.get(file) ?? ''

  test('links to files and headings that exist', async () => {
    for (const [, link = ''] of text.matchAll(/\]\(([^()\s]+)\)/g)) {
      if (/^https?:/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? new URL(file, ROOT) : new URL(path, new URL(file, ROOT))
      const name = target.href.slice(ROOT.href.length)
      const entries = await readdir(new URL('./', target))
      const last = name.split('/').filter(Boolean).at(-1) ?? ''
      expect(entries, link).toContain(last)
      if (anchor !== undefined) expect(anchorsOf(await readGuide(name)), link).toContain(anchor)
    }
  })

  test('waits for no program that has ended', () => {
    const loops = /^(\w+)=\$!\n(?:.*\n)*?until (.*; done$|[\s\S]*?^done$)/gm
    for (const block of commandsOf(text)) {
      for (const [, name, loop] of block.matchAll(loops)) {
        expect(loop).toContain(`kill -0 $${name}`)
      }
    }
  })

  test('names files and folders of the code that exist', async () => {
    const named = [...text.matchAll(/`((?:src|test|scripts|prisma)\/[\w/.-]+)`/g)]
    for (const [, path = ''] of named) {
      const url = new URL(path, ROOT)
      const parent = await readdir(new URL('./', url)).catch(() => [])
      expect(parent, path).toContain(path.split('/').at(-1))
    }
  })
})
