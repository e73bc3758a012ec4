import { encode } from 'uqr'
import { type Html, html } from '../../shared/page/html.ts'
import type { Secret } from '../../shared/page/message-view.ts'

/**
 * The secret of a new second factor as a picture, as a link for the same phone, and as text.
 *
 * @param uri an `otpauth:` one with the secret
 */
export function secretView(secret: string, uri: string): Html {
  return html`<p>Scan this with your authenticator app, or type the key into it.</p>
${qrCode(uri)}
<p><a href="${uri}">Open in an authenticator app on this device</a></p>
<dl class="facts"><dt>Key</dt><dd><code>${secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}</code></dd></dl>
`
}

/** The recovery codes as they are shown once. */
export function recoverySecret(title: string, codes: readonly string[]): Secret {
  const facts = Object.fromEntries(codes.map((code, index) => [`Code ${index + 1}`, code]))
  return { title, facts, what: 'recovery codes', file: 'recovery-codes.txt' }
}

/** An image of ours: dark on light also in a dark theme, with the margin that readers need. */
function qrCode(text: string): Html {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return html`<svg class="qr-code" role="img" aria-label="QR code of the key" width="232" height="232"
viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path
fill="#000" d="${dark.join('')}"/></svg>`
}
