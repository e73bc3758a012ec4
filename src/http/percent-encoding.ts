/**
 * Decodes percent-encoding (RFC 3986, 2.1), or returns undefined when the bytes are not UTF-8. A
 * percent sign that begins no code stands for itself, because people type such addresses.
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
