import { html, render } from '../shared/page/html.ts'
import { siteHeader } from '../shared/page/html-page.ts'

/** What the reference may do beyond other pages: run scripts of ours, and call this server. */
export const REFERENCE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/**
 * The API reference: Scalar draws the OpenAPI document in the browser, with search, samples in many
 * languages, and requests that readers send with a token of their own. Its script is a file of this
 * server (`scripts/reference-script.js`); the page loads nothing from anybody else.
 */
export function referencePage(assetVersion: string): string {
  const asset = (name: string) => `/assets/${name}?v=${assetVersion}`
  return render(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>API reference · App Marketplace</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${asset('icon.svg')}">
<link rel="stylesheet" href="${asset('reference.css')}">
</head>
<body>
${siteHeader({ assetVersion })}
<nav class="reference-bar" aria-label="Documentation">
<a href="/docs">Documentation</a>
<a href="/docs/errors">Errors</a>
<a href="/openapi.json">openapi.json</a>
</nav>
<div id="reference"></div>
<p class="without-script">A script of this server draws the reference here. Without it, read
<a href="/docs">the guides</a> and <a href="/openapi.json">the OpenAPI document</a>.</p>
<script src="${asset('scalar.js')}"></script>
<script src="${asset('reference.js')}"></script>
</body>
</html>
`)
}
