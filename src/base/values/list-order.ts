import type { PageRequest, Position } from './page-of-list.ts'

/** A column that a list goes by. The last one of an order has a value of its own for each row. */
type OrderColumn = { name: string; isTime?: true }

/** The orders that a list can have: what an address calls one -> its columns, which an index has. */
export type Orders = Readonly<
  Record<string, readonly [OrderColumn] | readonly [OrderColumn, OrderColumn]>
>

/** The order of creation; rows of the same moment go by their id. */
export const CREATED = [{ name: 'createdAt', isTime: true }, { name: 'id' }] as const

/**
 * The order that a page asks for, the first one unless it names another: `name`, or `-name` for the
 * opposite direction.
 *
 * @returns the condition of the rows that come after the position, the order, and the position of a row
 */
export function orderOf(orders: Orders, { sort, after }: PageRequest) {
  const wanted = sort ?? Object.keys(orders)[0] ?? ''
  const columns = orders[wanted.replace(/^-/, '')]
  if (columns === undefined) throw new TypeError(`no such order: ${wanted}`)
  const isDown = wanted.startsWith('-')
  return {
    where: after === undefined ? {} : conditionOf(columns, isDown, after),
    orderBy: columns.map(({ name }) => ({ [name]: isDown ? 'desc' : 'asc' })) as object[],
    positionOf: (row: object): Position => columns.map(({ name }) => keyOf(row, name)),
  }
}

function conditionOf(columns: Orders[string], isDown: boolean, after: Position): object {
  const beyond = isDown ? 'lt' : 'gt'
  const valueIn = ({ isTime }: OrderColumn, at: number) =>
    isTime ? new Date(String(after[at])) : after[at]
  const [first, second] = columns
  const value = valueIn(first, 0)
  if (second === undefined) return { [first.name]: { [beyond]: value } }
  return {
    // An index can begin there; in an alternative it cannot.
    [first.name]: { [`${beyond}e`]: value },
    OR: [
      { [first.name]: { [beyond]: value } },
      { [first.name]: value, [second.name]: { [beyond]: valueIn(second, 1) } },
    ],
  }
}

function keyOf(row: object, name: string): string | number {
  const value: unknown = Reflect.get(row, name)
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new TypeError(`nothing to sort by in ${name}`)
}
