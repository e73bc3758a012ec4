/**
 * The text of a percent-encoded one (RFC 3986, 2.1), or undefined when its bytes are no UTF-8. A
 * percent sign that begins no code, which people type, stands for itself.
 */
export function decodedText(encoded: string): string | undefined {
  return decoded(encoded) ?? decoded(encoded.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
}

function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
