import { z } from 'zod'
import { describeIssue } from '../values/field-errors.ts'
import { EVEN_IF_INVALID } from './schema-checks.ts'

type Branch = z.ZodObject

/**
 * A union of objects that a member tells apart. Where that member has an unknown value, the others
 * are checked all the same, so that one answer names everything: with the schemas that the objects
 * share, and those of some objects where they are given.
 *
 * @param check of several members together; they may have any type
 */
export function wholeUnion<const Branches extends readonly [Branch, ...Branch[]]>(
  discriminator: string,
  branches: Branches,
  check?: (value: object, ctx: z.core.$RefinementCtx) => void,
) {
  const known = new Set(branches.map(({ shape }) => literalOf(shape[discriminator])))
  const anyBranch = z.strictObject(membersOfAny(discriminator, branches))
  return z.discriminatedUnion(discriminator, branches).superRefine((value, ctx) => {
    if (Array.isArray(value) || known.has(Reflect.get(value, discriminator))) return
    const parsed = anyBranch.safeParse(value, { error: describeIssue, reportInput: true })
    for (const issue of parsed.error?.issues ?? []) {
      ctx.addIssue({ ...issue } as Parameters<typeof ctx.addIssue>[0])
    }
    check?.(value, ctx)
  }, EVEN_IF_INVALID)
}

function literalOf(schema: unknown): unknown {
  return schema instanceof z.ZodLiteral ? schema.value : undefined
}

function membersOfAny(discriminator: string, branches: readonly Branch[]) {
  const names = new Set(branches.flatMap(({ shape }) => Object.keys(shape)))
  const members = [...names].map((name): [string, z.ZodType] => {
    if (name === discriminator) return [name, z.unknown().optional()]
    const own = branches.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name]] : []))
    const [first] = own as [z.ZodType]
    return [name, own.length === branches.length ? first : first.optional()]
  })
  return Object.fromEntries(members)
}
