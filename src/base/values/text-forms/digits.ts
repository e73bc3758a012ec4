const DIGITS = /\p{Nd}/gu
const DIGIT = /\p{Nd}/u

/** A text with `0` to `9` for the decimal digits of every script: `٤٢` is `42`. */
export function asciiDigits(text: string): string {
  return text.replaceAll(DIGITS, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    // Digits stand together from zero to nine (The Unicode Standard, 4.6), and at times several
    // such tens, one behind the other.
    let before = 0
    while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1
    return String(before % 10)
  })
}
