/**
 * Exact decimal arithmetic on JSON numbers: a number stands for the shortest decimal text that
 * JavaScript prints for it, so 0.1 is one tenth and not the binary fraction beside it.
 */

/** `units / 10^scale`, with the smallest scale that holds the number. */
type Decimal = { units: bigint; scale: number }

/** The exact decimal that a finite number prints as. */
function decimalOf(value: number): Decimal {
  return decimalOfText(String(value))
}

/** @param text digits, with or without a sign, a decimal point and an exponent */
function decimalOfText(text: string): Decimal {
  const [mantissa = '0', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const units = BigInt(whole + fraction)
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

/** How many decimals a finite number has: 2 for 19.95. */
export function decimalPlaces(value: number): number {
  return decimalOf(value).scale
}

/** A number as a whole count of `10^-scale`, 1950n for 19.5 at scale 2. Throws when it has more decimals. */
export function toUnits(value: number, scale: number): bigint {
  const decimal = decimalOf(value)
  if (decimal.scale > scale) throw new RangeError(`${value} has more than ${scale} decimals`)
  return decimal.units * 10n ** BigInt(scale - decimal.scale)
}

/** Plain decimal text with exactly `scale` decimals and no exponent: `19.50`. */
export function formatUnits(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const sign = units < 0n ? '-' : ''
  if (scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The plain decimal text of a number, without exponent: `0.0000001` rather than `1e-7`. */
export function plainDecimal(value: number): string {
  // From 10^21 on JavaScript prints an exponent.
  if (Number.isInteger(value) && Math.abs(value) < 1e21) return String(value)
  const { units, scale } = decimalOf(value)
  return formatUnits(units, scale)
}

/** Whether `value` is `base` plus a whole number of `step`s. */
export function isOnGrid(value: number, step: number, base: number): boolean {
  const decimals = [value, step, base].map(decimalOf)
  const scale = Math.max(...decimals.map((decimal) => decimal.scale))
  const stepUnits = toUnits(step, scale)
  return (toUnits(value, scale) - toUnits(base, scale)) % stepUnits === 0n
}

/** Whether a text, written as in JSON, and a number stand for the same decimal. */
export function isDecimalOf(text: string, value: number): boolean {
  const [written, stored] = [decimalOfText(text), decimalOf(value)]
  const scale = Math.max(written.scale, stored.scale)
  const unitsOf = (one: Decimal) => one.units * 10n ** BigInt(scale - one.scale)
  return unitsOf(written) === unitsOf(stored)
}

/** The largest number up to `max` that is `base` plus a whole number of `step`s. */
export function largestOnGrid(max: number, step: number, base: number): number {
  const scale = Math.max(...[max, step, base].map(decimalPlaces))
  const [limit, unit] = [toUnits(max, scale), toUnits(step, scale)]
  // The remainder has the sign of the difference; below the base it leads up instead of down.
  const rest = (limit - toUnits(base, scale)) % unit
  return Number(formatUnits(limit - (rest < 0n ? rest + unit : rest), scale))
}
