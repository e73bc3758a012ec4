import type { PrismaPg } from '@prisma/adapter-pg'
import { hold } from '../fair-share/deadline.ts'
import { LONG_CHARACTERS, nextTick } from '../fair-share/next-tick.ts'

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>
type Rows = readonly (readonly unknown[])[]

/**
 * Has Prisma go on with a long result in a tick of the event loop of its own: ten connections may
 * have ten of them at once, each of which takes milliseconds to be read, checked and written. While
 * they wait, they count towards what their caller's requests hold.
 */
export function takeLongResultsInTicks(factory: PrismaPg): PrismaPg {
  const { connect } = factory
  factory.connect = async () => {
    const adapter: Adapter = await Reflect.apply(connect, factory, [])
    const { startTransaction } = adapter
    adapter.startTransaction = async (...given) =>
      inTurn(await Reflect.apply(startTransaction, adapter, given), { isUndone: true })
    return inTurn(adapter, { isUndone: false })
  }
  return factory
}

function inTurn<Queryable extends Pick<Adapter, 'queryRaw'>>(
  queryable: Queryable,
  { isUndone }: { isUndone: boolean },
): Queryable {
  const { queryRaw } = queryable
  queryable.queryRaw = async (query) => {
    const result = await Reflect.apply(queryRaw, queryable, [query])
    const length = lengthOf(result.rows)
    if (length <= LONG_CHARACTERS) return result
    holdResult(length, isUndone)
    await nextTick()
    return result
  }
  return queryable
}

/** Prisma makes an error of its own of one that has a code: what is refused is the cause of one without. */
function holdResult(length: number, isUndone: boolean): void {
  try {
    hold(length, { isUndone })
  } catch (cause) {
    throw new Error('a long result has no room', { cause })
  }
}

/** The length of all texts of a result together, in characters. */
function lengthOf(rows: Rows): number {
  let characters = 0
  for (const row of rows) {
    for (const value of row) if (typeof value === 'string') characters += value.length
  }
  return characters
}
