const LENGTHS: ReadonlySet<number> = new Set([8, 12, 13, 14])

/** Whether a text has the form of a UPC or another GTIN: 8, 12, 13 or 14 digits. */
export function isUpcForm(text: string): boolean {
  return LENGTHS.has(text.length) && /^\d+$/.test(text)
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
