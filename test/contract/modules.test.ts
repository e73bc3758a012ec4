import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

const FILES = globSync('src/**/*.ts').filter((file) => !file.includes('/generated/'))

/** Wings that are one module each. */
const UNDIVIDED = ['http', 'web']

/** The module of a file: `src/<wing>/<module>`. */
function moduleOf(file: string): string | undefined {
  const [, wing = '', module = '', inModule] = file.split('/')
  if (UNDIVIDED.includes(wing)) return wing
  return inModule === undefined ? undefined : `${wing}/${module}`
}

/** The files of src that each file imports, also for types only. */
const IMPORTS = new Map(
  FILES.map((file) => {
    const text = readFileSync(file, 'utf8')
    const paths = [...text.matchAll(/(?:from |import |import\()'(\.[^']+)'/g)]
    return [file, new Set(paths.map(([, path = '']) => normalize(join(dirname(file), path))))]
  }),
)

/** The modules that each module imports from. Routes are left out: nothing but the assembly uses them. */
function imports(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [file, imported] of IMPORTS) {
    const from = moduleOf(file)
    if (from === undefined || file.endsWith('routes.ts')) continue
    for (const path of imported) {
      const to = moduleOf(path)
      if (to === undefined || to === from) continue
      found.set(from, (found.get(from) ?? new Set()).add(to))
    }
  }
  return found
}

/** The modules or files on a circle through `start`, or an empty list. */
function circleThrough(start: string, all: Map<string, Set<string>>): string[] {
  const ways = [[start]]
  const seen = new Set<string>()
  for (const way of ways) {
    for (const next of all.get(way.at(-1) ?? '') ?? []) {
      if (next === start) return [...way, start]
      if (!seen.has(next)) ways.push([...way, next])
      seen.add(next)
    }
  }
  return []
}

describe('modules', () => {
  it('import each other in one direction only', () => {
    const all = imports()
    expect(all.size).toBeGreaterThan(15)
    for (const module of all.keys()) expect(circleThrough(module, all)).toEqual([])
  })
})

describe('files', () => {
  it('do not import themselves by way of others, not even types', () => {
    expect(IMPORTS.size).toBeGreaterThan(500)
    for (const file of FILES) expect(circleThrough(file, IMPORTS)).toEqual([])
  })
})

describe('names', () => {
  it('of what files export mean one thing: no two files of a wing export the same name', () => {
    const files = new Map<string, Set<string>>()
    const declared = /^export (?:async )?(?:function\*?|const|type|class) (\w+)/gm
    for (const file of FILES) {
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(declared)) {
        const named = `${file.split('/')[1]}: ${name}`
        files.set(named, (files.get(named) ?? new Set()).add(file))
      }
    }
    expect(files.size).toBeGreaterThan(1000)
    const shared = [...files].filter(([, ofName]) => ofName.size > 1)
    expect(shared.map(([name, ofName]) => [name, ...ofName])).toEqual([])
  })
})

describe('the address of a client', () => {
  it('is read in one file, which leaves out ports and what is no address', () => {
    const readers = FILES.filter((file) => /\bips?\b/.test(readFileSync(file, 'utf8')))
    expect(readers).toEqual(['src/http/client-address.ts'])
  })
})
