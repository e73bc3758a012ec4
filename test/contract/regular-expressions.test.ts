import { readdirSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { checkSync, type Parameters } from 'recheck'
import { beforeAll, describe, expect, test } from 'vitest'
import { IGNORABLE, INVISIBLE } from '../../src/base/values/text-forms/joiners.ts'

/** In this process: no Java, no binary. */
process.env.RECHECK_SYNC_BACKEND = 'pure'

/** By counts and not by times: the same answer on every machine. Without the time for more. */
const EFFORT: Parameters = {
  randomSeed: 1,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  attackLimit: 50_000_000,
  maxAttackStringSize: 60_000,
  maxGeneStringSize: 1_200,
  maxInitialGenerationSize: 50,
  maxGenerationSize: 30,
  maxIteration: 3,
  crossoverSize: 10,
  mutationSize: 20,
}

const SOURCES = new URL('../../src/', import.meta.url)

type Found = { file: string; pattern: string; flags: string; text: string }

/** The regular expressions of a program: its literals, and where it makes others. */
function expressionsOf(file: string, source: string): { literals: Found[]; made: string[] } {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`)
  const literals: Found[] = []
  const made: string[] = []
  const lineOf = (position: number) => source.slice(0, position).split('\n').length
  const noteMade = ({ callee, start }: { callee: { type: string }; start: number }) => {
    const { name } = callee as { name?: string }
    if (callee.type === 'Identifier' && name === 'RegExp') made.push(`${file}:${lineOf(start)}`)
  }
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      literals.push({ file: `${file}:${lineOf(node.start)}`, pattern, flags, text: node.raw ?? '' })
    },
    NewExpression: noteMade,
    CallExpression: noteMade,
  }).visit(program)
  return { literals, made }
}

const isSafe = (pattern: string, flags: string) =>
  checkSync(pattern, flags, EFFORT).status === 'safe'

describe('the regular expressions of the server', () => {
  let literals: Found[] = []
  let made: string[] = []

  beforeAll(() => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    const found = files
      .filter((file) => file.endsWith('.ts') && !file.startsWith('base/database/generated/'))
      .map((file) => expressionsOf(file, readFileSync(new URL(file, SOURCES), 'utf8')))
    literals = found.flatMap((one) => one.literals)
    made = found.flatMap((one) => one.made)
  })

  test('take time in proportion to what they read', { timeout: 300_000 }, () => {
    expect(literals.length).toBeGreaterThan(100)
    const distinct = new Map(literals.map((one) => [one.text, one]))
    const slow = [...distinct.values()].filter(({ pattern, flags }) => !isSafe(pattern, flags))
    expect(slow.map(({ file, text }) => `${file} ${text}`)).toEqual([])
  })

  test('are all written as literals, so that they can be checked, but those of joiners', () => {
    expect(made.filter((place) => !place.startsWith('base/values/text-forms/joiners.ts:'))).toEqual(
      [],
    )
    expect(made).toHaveLength(2)
  })

  test.each([IGNORABLE, INVISIBLE])('take that time, too: %#', ({ source, flags }) => {
    expect(isSafe(source, flags)).toBe(true)
  })
})

describe('the check of regular expressions', () => {
  test.each([
    // One of each kind that has been in this server.
    ['overlapping repetitions', /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i],
    ['a repetition that may begin anywhere', /\/+$/],
    ['nested repetitions', /^(a+)+$/],
    ['nested bounded repetitions', /^(a{1,50}a{1,50}){1,50}$/],
  ])('refuses %s', (_name, { source, flags }) => {
    expect(isSafe(source, flags)).toBe(false)
  })

  test('finds literals and those that are made', () => {
    const source = 'const a = [/x+/g]; new RegExp(text); RegExp("y"); "/z/"; a / 2 / 3'
    const { literals, made } = expressionsOf('example.ts', source)
    expect(literals.map(({ text }) => text)).toEqual(['/x+/g'])
    expect(made).toHaveLength(2)
  })
})
