import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, expect, test } from 'vitest'
import { COMMANDS } from '../../../../src/process/cli/commands.ts'
import { runOperatorCommand } from '../../../../src/process/cli/run-operator-command.ts'

const directory = mkdtempSync(`${tmpdir()}/command-lines-`)
afterAll(() => rmSync(directory, { recursive: true }))

/** Runs a command line that is refused before it needs a database. */
async function refused(words: string[]): Promise<string> {
  let said = ''
  const streams = {
    stdin: (async function* () {})(),
    stdout: { write: (text: string) => expect(text).toBe('') },
    stderr: {
      write: (text: string) => {
        said += text
      },
    },
  }
  expect(await runOperatorCommand(words, streams)).toBe(2)
  return said
}

test.each<[string, string]>([
  ['party creat --name x', 'Unknown command "party creat". Did you mean "party create"?'],
  ['prty list', 'Unknown command "prty list". Did you mean "party list"?'],
  ['PARTY list', 'Unknown command "PARTY list". Did you mean "party list"?'],
  ['bakcup x.dump', 'Unknown command "bakcup x.dump". Did you mean "backup"?'],
  ['backp x.dump', 'Unknown command "backp x.dump". Did you mean "backup"?'],
  ['usr', 'Unknown command "usr". Did you mean "user"?'],
  ['app remove', 'Unknown command "app remove".'],
  [`${'party '.repeat(1_000)}list`, 'Unknown command "party party".'],
  ['x'.repeat(100_000), 'Unknown command.'],
  ['help prty', 'Unknown command "prty". Did you mean "party"?'],
])('%.40s: %s', async (line, sentence) => {
  const [first] = (await refused(line.split(' '))).split('\n')
  expect(first).toBe(sentence)
})

test.each<[string[], string]>([
  [['party', 'list', '--limt', '3'], 'There is no option --limt here. Did you mean "--limit"?'],
  [['party', 'list', '--colour'], 'There is no option --colour here.'],
  [['party', 'list', '-q', 'x'], 'There is no option -q here. Did you mean "--q"?'],
  [['party', 'list', '--constructor'], 'There is no option --constructor here.'],
  [['party', 'list', '--q'], '--q needs a value.'],
  [
    ['party', 'list', '--q', '--limit'],
    '--q needs a value; one that begins with a hyphen is given as --q=-...',
  ],
  [['keys', 'rotate', '--leaked=yes'], '--leaked takes no value.'],
  [['party', 'create'], 'Missing: --name, --type'],
])('%j: %s', async (words, sentence) => {
  const said = await refused(words)
  const usage = COMMANDS[words.slice(0, 2).join(' ')]?.usage
  expect(said).toBe(`${sentence}\n\nUsage: npm run cli -- ${usage}\n`)
})

test.each([['backup'], ['restore'], ['backup', 'verify'], ['products', 'import', '--party', '1']])(
  'a command without its file says how it is called: %s %s',
  async (...words) => {
    const name = words.filter((word) => /^[a-z]/.test(word)).join(' ')
    expect(await refused(words)).toBe(`Usage: npm run cli -- ${COMMANDS[name]?.usage}\n`)
  },
)

test('every command that lists takes --limit', () => {
  const lists = Object.entries(COMMANDS).filter(([name]) => name.endsWith(' list'))
  expect(lists.length).toBeGreaterThan(6)
  for (const [name, { options, usage }] of lists) {
    expect(options, name).toContain('limit')
    expect(usage, name).toContain('[--limit N]')
  }
})
