/** Bytes of an answer's body that are kept. */
export const KEPT_ANSWER_BYTES = 1024

/**
 * The beginning of an answer as text that Postgres takes: at most 1,024 characters, valid UTF-8, no
 * NUL. What is not UTF-8, compressed bytes for example, turns into U+FFFD. A character that the cut
 * went through is left out.
 *
 * @param start the first bytes of the body, at most KEPT_ANSWER_BYTES
 * @param isWhole whether these are all of its bytes
 */
export function answerText(start: Uint8Array, isWhole: boolean): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(start, { stream: !isWhole })
  return text.replaceAll('\0', '\ufffd')
}
