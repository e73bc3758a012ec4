import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments, stringify } from 'yaml'

const CHART = fileURLToPath(new URL('../../ops/helm/app-marketplace/', import.meta.url))

/** What YAML gives; the tests look into it as into JSON. */
// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
export type Manifest = any
type Scope = Record<string, unknown>

const read = (file: string) => readFileSync(join(CHART, file), 'utf8')

/** The values that the chart comes with. */
export function chartValues(): Manifest {
  return parse(read('values.yaml'))
}

/** Manifests of the chart with these values, as `helm template` makes them. */
export function renderChart(values: Manifest): Manifest[] {
  return readdirSync(join(CHART, 'templates'))
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) =>
      parseAllDocuments(renderTemplate(read(`templates/${file}`), scopeOf(values)))
        .map((document) => {
          if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`)
          return document.toJS()
        })
        .filter((manifest) => manifest !== null),
    )
}

/** What `helm install` prints at its end. */
export function renderNotes(values: Manifest): string {
  return renderTemplate(read('templates/NOTES.txt'), scopeOf(values))
}

/** The JSON Schema by which Helm checks values. */
export function chartSchema(): Manifest {
  return JSON.parse(read('values.schema.json'))
}

function scopeOf(values: Manifest): Scope {
  return {
    Values: values,
    Release: { Name: 'market', Namespace: 'shop' },
    Chart: { AppVersion: parse(read('Chart.yaml')).appVersion },
  }
}

type Node = { text: string } | { expression: string } | { block: string; body: Node[] }

/**
 * The part of Helm's template language that the chart uses: values, `if`, `if not`, `or` of two, `range`
 * over a map, `fail`, `quote`, `default`, `toYaml`, `toJson`, `sha256sum` and `nindent`. All else is an
 * error.
 */
function renderTemplate(template: string, scope: Scope): string {
  const root: Node[] = []
  const open: Node[][] = [root]
  const trimmed = template.replaceAll(/\s*\{\{-/g, '{{')
  for (const [index, part] of trimmed.split(/\{\{(.*?)\}\}/s).entries()) {
    const nodes = open.at(-1)
    if (nodes === undefined) throw new Error('an end without a beginning')
    const words = part.trim()
    if (index % 2 === 0) nodes.push({ text: part })
    else if (words === 'end') open.pop()
    else if (/^(if|range) /.test(words)) {
      const body: Node[] = []
      nodes.push({ block: words, body })
      open.push(body)
    } else nodes.push({ expression: words })
  }
  if (open.length !== 1) throw new Error('a block has no end')
  return render(root, scope)
}

function render(nodes: readonly Node[], scope: Scope): string {
  return nodes.map((node) => renderNode(node, scope)).join('')
}

function renderNode(node: Node, scope: Scope): string {
  if ('text' in node) return node.text
  if ('expression' in node) {
    const failure = /^fail "(.+)"$/.exec(node.expression)?.[1]
    if (failure !== undefined) throw new Error(failure)
    return String(evaluate(node.expression, scope) ?? '')
  }
  const range = /^range \$(\w+), \$(\w+) := (.+)$/.exec(node.block)
  if (range !== null) {
    const [, name = '', value = '', over = ''] = range
    const entries = Object.entries((evaluate(over, scope) ?? {}) as object).sort()
    return entries
      .map(([key, one]) => render(node.body, { ...scope, [`$${name}`]: key, [`$${value}`]: one }))
      .join('')
  }
  const [, not, condition = ''] = /^if (not )?(.+)$/.exec(node.block) ?? []
  const either = /^\(or (\S+) (\S+)\)$/.exec(condition)?.slice(1) ?? [condition]
  const isTrue = either.some((one) => isSet(evaluate(one, scope)))
  return isTrue === (not === undefined) ? render(node.body, scope) : ''
}

/** What Go's templates take for true: not an empty text, list or map. */
function isSet(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : Boolean(value)
}

function evaluate(expression: string, scope: Scope): unknown {
  const [first = '', ...pipes] = expression.split('|').map((part) => part.trim())
  const start = /^toYaml (.+)$/.exec(first)?.[1]
  const value = start === undefined ? lookUp(first, scope) : stringify(lookUp(start, scope)).trim()
  return pipes.reduce<unknown>((so, pipe) => applyPipe(pipe, so, scope), value)
}

function applyPipe(pipe: string, value: unknown, scope: Scope): unknown {
  const [name, argument = ''] = pipe.split(' ')
  switch (name) {
    case 'quote':
      return JSON.stringify(String(value))
    case 'default':
      return value || lookUp(argument, scope)
    case 'toJson':
      return JSON.stringify(value)
    case 'sha256sum':
      return createHash('sha256').update(String(value)).digest('hex')
    case 'nindent':
      return `\n${String(value).replaceAll(/^/gm, ' '.repeat(Number(argument)))}`
    default:
      throw new Error(`unknown function ${pipe}`)
  }
}

function lookUp(path: string, scope: Scope): unknown {
  if (!/^[.$][\w.]+$/.test(path)) throw new Error(`unknown expression ${path}`)
  const names = path.startsWith('$') ? [path] : path.slice(1).split('.')
  return names.reduce<Manifest>((found, name) => {
    if (found === null || typeof found !== 'object' || !(name in found)) {
      throw new Error(`${path} is not in the values`)
    }
    return found[name]
  }, scope)
}
