/**
 * How far apart two series are, whatever their distribution: the standard score of the rank test
 * of Mann and Whitney, by its normal approximation. Series of one kind stay within 3.29 of zero in
 * 999 of 1,000 cases.
 */
export function rankDistance(a: readonly number[], b: readonly number[]): number {
  const all = [
    ...a.map((value) => ({ value, isOfA: true })),
    ...b.map((value) => ({ value, isOfA: false })),
  ].sort((left, right) => left.value - right.value)
  const ranks = all.reduce((sum, { isOfA }, index) => (isOfA ? sum + index + 1 : sum), 0)
  const u = ranks - (a.length * (a.length + 1)) / 2
  const mean = (a.length * b.length) / 2
  const deviation = Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12)
  return (u - mean) / deviation
}
