/** CR is kept by its reference: the parser would turn a bare one into LF (WHATWG HTML 13.2.3.5). */
const REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
  '\0': '\u{FFFD}',
}
/** The references by the character's code. */
const BY_CODE: readonly (string | undefined)[] = Array.from({ length: 63 }, (_, code) =>
  Object.hasOwn(REFERENCES, String.fromCharCode(code))
    ? REFERENCES[String.fromCharCode(code)]
    : undefined,
)

/**
 * Escapes text for element content and quoted attribute values. Not meant for unquoted attributes,
 * `<script>`, `<style>` or the scheme of a URL.
 */
export function escapeHtml(text: string): string {
  let escaped = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const reference = BY_CODE[text.charCodeAt(at)]
    if (reference === undefined) continue
    escaped += from === at ? reference : text.slice(from, at) + reference
    from = at + 1
  }
  return from === 0 ? text : escaped + text.slice(from)
}
