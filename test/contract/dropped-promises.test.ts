import { readdirSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { describe, expect, test } from 'vitest'

const SOURCES = new URL('../../src/', import.meta.url)
/** Of node-postgres, Prisma and ioredis. What they answer is a promise whoever holds them. */
const ANSWER_WITH_PROMISES =
  /^(query|connect|\$\w+|find\w+|create\w*|upsert|updateMany\w*|deleteMany|aggregate|groupBy|eval|evalsha)$/

type Node = { type: string } & Record<string, unknown>

/**
 * Statements that call what answers with a promise and look at nothing of it. The linter knows the
 * types of our own functions only: this finds those of Node's promise modules and of the clients of
 * databases. A failure of such a promise would end the process.
 */
function droppedPromises(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`)
  const fromPromiseModules = new Set<string>()
  const found: string[] = []
  const noteIfDropped = (expression: Node, start: number) => {
    if (isDropped(expression)) found.push(`${file}:${source.slice(0, start).split('\n').length}`)
  }
  const isDropped = (expression: Node): boolean => {
    if (expression.type === 'ChainExpression') return isDropped(expression.expression as Node)
    if (expression.type !== 'CallExpression') return false
    const callee = expression.callee as Node
    if (callee.type === 'Identifier') return fromPromiseModules.has(String(callee.name))
    if (callee.type !== 'MemberExpression') return false
    const { name } = callee.property as Node & { name?: string }
    const given = expression.arguments as Node[]
    if (name === 'then') return given.length < 2
    if (name === 'catch') return false
    // With a callback there is no promise.
    if (given.at(-1)?.type === 'ArrowFunctionExpression') return isDropped(callee.object as Node)
    return ANSWER_WITH_PROMISES.test(name ?? '') || isDropped(callee.object as Node)
  }
  new Visitor({
    ImportDeclaration(node) {
      if (!/^node:\w+\/promises$/.test(node.source.value)) return
      for (const { local } of node.specifiers) fromPromiseModules.add(local.name)
    },
  }).visit(program)
  new Visitor({
    ExpressionStatement(node) {
      noteIfDropped(node.expression as unknown as Node, node.start)
    },
  }).visit(program)
  return found
}

describe('promises that nobody waits for', () => {
  test('are nowhere in the server', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    const found = files
      .filter((file) => file.endsWith('.ts') && !file.startsWith('base/database/generated/'))
      .flatMap((file) => droppedPromises(file, readFileSync(new URL(file, SOURCES), 'utf8')))
    expect(found).toEqual([])
  })

  test.each([
    "import { setTimeout as sleep } from 'node:timers/promises'; sleep(1)",
    "import { readFile } from 'node:fs/promises'; readFile('x')",
    "pool.query('SELECT 1')",
    'pool.connect()',
    'db.$disconnect()',
    'db.$transaction([])',
    'deps.db.user.findMany()',
    'work().then(() => 1)',
    "pool?.query('SELECT 1').finally(done)",
  ])('are found: %s', (source) => {
    expect(droppedPromises('example.ts', source)).toHaveLength(1)
  })

  test.each([
    "await pool.query('SELECT 1')",
    "pool.query('SELECT 1').catch(() => undefined)",
    'work().then(done, failed)',
    "const rows = pool.query('SELECT 1')",
    'client.query(text, (error) => done(error))',
  ])('are told from others: %s', (source) => {
    expect(droppedPromises('example.ts', source)).toEqual([])
  })
})
