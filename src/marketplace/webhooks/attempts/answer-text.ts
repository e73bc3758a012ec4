/** How many bytes of a response body are kept. */
export const KEPT_ANSWER_BYTES = 1024

/**
 * The beginning of a response as text that Postgres can store: at most 1,024 characters of valid
 * UTF-8 without NUL. Bytes that are not UTF-8, such as compressed ones, become U+FFFD. A character
 * that the cut splits is left out.
 *
 * @param start the first bytes of the body, at most KEPT_ANSWER_BYTES
 * @param isWhole whether these are all of its bytes
 */
export function answerText(start: Uint8Array, isWhole: boolean): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(start, { stream: !isWhole })
  return text.replaceAll('\0', '\ufffd')
}
