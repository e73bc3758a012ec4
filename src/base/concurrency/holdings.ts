/** Bytes that the process holds for callers. */
export type Holdings<Caller> = {
  /**
   * Makes one thing that is held for a caller longer or shorter.
   *
   * @returns false when there is no room for more: nothing has changed then
   */
  resize(caller: Caller, fromBytes: number, toBytes: number): boolean
}

/**
 * Makes holdings of which a caller has at most `eachMaxBytes`, and never more than it leaves of
 * `allMaxBytes` to others: who comes when much is held finds room for less, but finds some.
 */
export function createHoldings<Caller>({
  eachMaxBytes,
  allMaxBytes,
}: {
  eachMaxBytes: number
  allMaxBytes: number
}): Holdings<Caller> {
  const held = new Map<Caller, number>()
  let allBytes = 0
  return {
    resize(caller, fromBytes, toBytes) {
      const moreBytes = toBytes - fromBytes
      const ownBytes = (held.get(caller) ?? 0) + moreBytes
      const leftBytes = allMaxBytes - (allBytes + moreBytes)
      if (moreBytes > 0 && ownBytes > Math.min(eachMaxBytes, leftBytes)) return false
      allBytes += moreBytes
      if (ownBytes > 0) held.set(caller, ownBytes)
      else held.delete(caller)
      return true
    },
  }
}
