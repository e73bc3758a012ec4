/** So much of a text is put into a field of a page: more makes a page of megabytes that nobody edits there. */
export const SHOWN_TEXT_MAX_LENGTH = 65_536

/** Whether a text is too long for a field. */
export function isTooLong(text: string): boolean {
  return text.length > SHOWN_TEXT_MAX_LENGTH
}

/** How long a text that is not shown is, for its reader: `812 KiB`. */
export function lengthText(bytes: number): string {
  return `${Math.ceil(bytes / 1024).toLocaleString('en')} KiB`
}
