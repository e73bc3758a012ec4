const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14])

/** Whether a text has the form of a UPC or another GTIN: 8, 12, 13 or 14 digits. */
export function isUpcForm(text: string): boolean {
  return LENGTHS.has(text.length) && /^\d+$/.test(text)
}

/** Whether a text is what a spreadsheet makes of a UPC: without its first zero, or `4.39178E+10`. */
export function looksCut(text: string): boolean {
  return /^\d{11}$|^\d([.,]\d{1,20})?E\+?\d{1,2}$/i.test(text)
}

const GTIN_LENGTH = 14

/**
 * A UPC or another GTIN in 14 digits, in which all lengths are compared (GS1 General
 * Specifications, 7.2). Other texts come back as they are.
 */
export function gtin14(text: string): string {
  return /^\d{1,14}$/.test(text) ? text.padStart(GTIN_LENGTH, '0') : text
}

/** The ways to write a UPC of 14 digits in 8, 12, 13 or 14 of them; none of another text. */
export function writtenForms(gtin: string): string[] {
  if (!/^\d{14}$/.test(gtin)) return []
  return [...LENGTHS]
    .filter((length) => /^0*$/.test(gtin.slice(0, GTIN_LENGTH - length)))
    .map((length) => gtin.slice(GTIN_LENGTH - length))
}

/**
 * Whether the last digit of a UPC or GTIN is right (GS1 General Specifications, 7.9). Eight digits
 * may be a GTIN-8 or a UPC-E, whose check digit is that of the UPC-A it abbreviates.
 */
export function hasRightCheckDigit(upc: string): boolean {
  if (hasGtinCheckDigit(upc)) return true
  const expanded = upc.length === 8 ? expandedUpcE(upc) : undefined
  return expanded !== undefined && hasGtinCheckDigit(expanded)
}

function hasGtinCheckDigit(digits: string): boolean {
  let sum = 0
  for (let fromRight = 0; fromRight < digits.length; fromRight++) {
    const digit = digits.charCodeAt(digits.length - 1 - fromRight) - 48
    sum += fromRight % 2 === 0 ? digit : 3 * digit
  }
  return sum % 10 === 0
}

/** The UPC-A that a UPC-E stands for, or undefined for another number system than 0 and 1. */
function expandedUpcE(upc: string): string | undefined {
  const system = upc[0]
  if (system !== '0' && system !== '1') return undefined
  const digits = upc.slice(1, 7)
  const last = Number(digits[5])
  const middle =
    last <= 2
      ? `${digits.slice(0, 2)}${last}0000${digits.slice(2, 5)}`
      : last === 3
        ? `${digits.slice(0, 3)}00000${digits.slice(3, 5)}`
        : last === 4
          ? `${digits.slice(0, 4)}00000${digits[4]}`
          : `${digits.slice(0, 5)}0000${last}`
  return `${system}${middle}${upc[7]}`
}
