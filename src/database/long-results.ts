import type { PrismaPg } from '@prisma/adapter-pg'
import { LONG_CHARACTERS, nextTurn } from '../concurrency/next-turn.ts'

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>
type Rows = readonly (readonly unknown[])[]

/**
 * Has Prisma go on with a long result in a turn of the event loop of its own: ten connections may
 * have ten of them at once, each of which takes milliseconds to be read, checked and written.
 */
export function takeLongResultsInTurn(factory: PrismaPg): PrismaPg {
  const { connect } = factory
  factory.connect = async () => {
    const adapter: Adapter = await Reflect.apply(connect, factory, [])
    const { startTransaction } = adapter
    adapter.startTransaction = async (...given) =>
      inTurn(await Reflect.apply(startTransaction, adapter, given))
    return inTurn(adapter)
  }
  return factory
}

function inTurn<Queryable extends Pick<Adapter, 'queryRaw'>>(queryable: Queryable): Queryable {
  const { queryRaw } = queryable
  queryable.queryRaw = async (query) => {
    const result = await Reflect.apply(queryRaw, queryable, [query])
    if (isLong(result.rows)) await nextTurn()
    return result
  }
  return queryable
}

/** Whether the texts of a result are long together. */
function isLong(rows: Rows): boolean {
  let characters = 0
  for (const row of rows) {
    for (const value of row) if (typeof value === 'string') characters += value.length
    if (characters > LONG_CHARACTERS) return true
  }
  return false
}
