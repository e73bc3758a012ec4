import { describe, expect, test } from 'vitest'
import { COMMANDS } from '../../../../src/process/cli/commands.ts'
import { helpAskedFor, helpOn } from '../../../../src/process/cli/help.ts'
import { UsageError } from '../../../../src/process/cli/marketplace.ts'

const groups = [...new Set(Object.keys(COMMANDS).flatMap((name) => name.split(' ').slice(0, -1)))]
const isCommand = (name: string) => Object.hasOwn(COMMANDS, name)
const helpFor = (...argv: string[]) => helpOn(COMMANDS, helpAskedFor(COMMANDS, argv) ?? ['none'])

test.each(Object.entries(COMMANDS))('%s --help shows it', (name, { usage, does }) => {
  const words = name.split(' ')
  for (const argv of [
    [...words, '--help'],
    [...words, '-h'],
    [...words, '--id', '5', '--help'],
  ]) {
    expect(helpFor(...argv)).toContain(usage)
    expect(helpFor(...argv)).toContain(does)
  }
  expect(helpFor('help', ...words)).toBe(helpFor(...words, '--help'))
})

describe.each(groups)('the group %s', (group) => {
  const own = Object.entries(COMMANDS).filter(([name]) => name.startsWith(`${group} `))

  test('shows its commands by its name alone, with --help and after help', () => {
    const alone = isCommand(group) ? [] : [[group]]
    for (const argv of [...alone, [group, '--help'], ['help', group]]) {
      const text = helpFor(...argv)
      for (const [, { usage }] of own) expect(text).toContain(usage)
      for (const other of groups.filter((one) => one !== group)) {
        expect(text).not.toContain(`  ${other} `)
      }
    }
  })
})

test('a command without --help runs with its words, also where it begins the names of others', () => {
  for (const argv of [['demo'], ['backup'], ['app', 'list'], ['app', 'remove'], ['nonsense']]) {
    expect(helpAskedFor(COMMANDS, argv)).toBeUndefined()
  }
})

test('no words and --help alone show all commands; words that name no command are a UsageError', () => {
  for (const argv of [[], ['--help'], ['help']]) {
    for (const { usage } of Object.values(COMMANDS)) expect(helpFor(...argv)).toContain(usage)
  }
  expect(() => helpFor('nonsense', '--help')).toThrow(UsageError)
})
