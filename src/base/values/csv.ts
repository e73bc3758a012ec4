/** Spreadsheets tell UTF-8 by it; programs take it for a part of the first name. */
export const BYTE_ORDER_MARK = '\ufeff'

/** The media type of files that spreadsheets open. */
export const CSV_TYPE = 'text/csv; charset=utf-8'

export type CsvValue = string | number | Date | null

/** A line of a file that spreadsheets open (RFC 4180). */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

/**
 * What a spreadsheet would take for a formula gets an apostrophe in front; some take the fullwidth
 * signs, too.
 */
function cell(value: CsvValue): string {
  const text = value instanceof Date ? value.toISOString() : String(value ?? '')
  const harmless = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
