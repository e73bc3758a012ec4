import fc from 'fast-check'
import { fromEntries, HOSTILE_KEYS, hostileJson, Raw, Ref } from './fuzz-values.ts'

export type Mutation = {
  kind: 'replace' | 'remove' | 'add' | 'wrap'
  at: number
  key: string
  value: unknown
}
export const mutations: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'remove', 'add', 'wrap'),
  at: fc.nat(1000),
  key: fc.constantFrom(...HOSTILE_KEYS, 'id', 'extra'),
  value: hostileJson,
})

/** A copy with one place of it changed. */
export function mutated(root: unknown, { kind, at, key, value }: Mutation): unknown {
  const places = placesOf(root)
  const target = places[at % places.length]
  const change = (node: unknown): unknown => {
    if (kind === 'wrap') return [node]
    if (kind === 'add' && isRecord(node))
      return { ...node, ...(fromEntries([[key, value]]) as object) }
    return value
  }
  const copy = (node: unknown, path: string): unknown => {
    if (path === target) return change(node)
    if (Array.isArray(node)) return node.map((one, index) => copy(one, `${path}/${index}`))
    if (!isRecord(node)) return node
    const entries = Object.entries(node).filter(
      ([name]) => kind !== 'remove' || `${path}/${name}` !== target,
    )
    return fromEntries(entries.map(([name, one]) => [name, copy(one, `${path}/${name}`)]))
  }
  return copy(root, '')
}

function placesOf(node: unknown, path = ''): string[] {
  const children = Array.isArray(node) || isRecord(node) ? Object.entries(node as object) : []
  return [path, ...children.flatMap(([name, one]) => placesOf(one, `${path}/${name}`))]
}

function isRecord(node: unknown): node is Record<string, unknown> {
  return (
    typeof node === 'object' &&
    node !== null &&
    !Array.isArray(node) &&
    !(node instanceof Ref) &&
    !(node instanceof Raw)
  )
}

/** A value that is known only when the request is sent, changed then. */
export class Mutated {
  readonly ref: Ref
  readonly steps: readonly Mutation[]
  constructor(ref: Ref, steps: readonly Mutation[]) {
    this.ref = ref
    this.steps = steps
  }
}
