import { asciiDigits } from './digits.ts'

/** As programs and databases write numbers: `12`, `12.`, `.99`, `+5`, `1.25E+01`. */
const NUMBER = /^[+-]?(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:e([+-]?\d{1,3}))?$/i
/** Room for more zeros than any program writes; what is longer is no number. */
const NUMBER_MAX_LENGTH = 10_000

/**
 * A number as programs write it, if JavaScript has exactly this one: other text, and a number with
 * more digits than can be kept, is undefined.
 */
export function exactNumber(text: string): number | undefined {
  const written = decimalOf(text)
  if (written === undefined) return undefined
  const value = Number(text)
  const kept = decimalOf(String(value))
  const isSame = written.digits === kept?.digits && written.exponent === kept.exponent
  // Adding 0 makes 0 of -0.
  return isSame ? value + 0 : undefined
}

/** `digits * 10^exponent`, without zeros around the digits; nothing is said of the sign. */
function decimalOf(text: string): { digits: string; exponent: number } | undefined {
  const match = text.length > NUMBER_MAX_LENGTH ? null : NUMBER.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = '', onlyFraction = '', exponent = '0'] = match
  const decimals = fraction + onlyFraction
  const all = whole + decimals
  let begin = 0
  let end = all.length
  while (begin < end && all[begin] === '0') begin += 1
  while (end > begin && all[end - 1] === '0') end -= 1
  if (begin === end) return { digits: '', exponent: 0 }
  return {
    digits: all.slice(begin, end),
    exponent: Number(exponent) - decimals.length + all.length - end,
  }
}

/** Longer than any number that somebody types. */
const TYPED_MAX_LENGTH = 64
/** 1,500 is 1.5 to some and 1500 to others. */
const EITHER = /^[+-]?[1-9]\d{0,2},\d{3}$/
/** A whole number in groups of three digits. */
const GROUPED = /^([+-]?\d{1,3}(?: \d{3})+)(?=[.,]|$)/

/**
 * A number as people type it: in the digits of any script, with a decimal point or a decimal comma,
 * with a minus sign and spaces between thousands. Undefined when it is none, or may be two.
 */
export function typedNumber(text: string): number | undefined {
  if (text.length > TYPED_MAX_LENGTH) return undefined
  const plain = asciiDigits(text)
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll(/[\p{Zs}\u066c]/gu, ' ')
    .replace('\u2212', '-')
    .replace('\u066b', '.')
    .trim()
  if (EITHER.test(plain)) return undefined
  const number = plain.replace(GROUPED, (whole) => whole.replaceAll(' ', '')).replace(',', '.')
  const value = NUMBER.test(number) ? Number(number) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}
