import { html, render } from '../shared/page/html.ts'
import { siteHeader } from '../shared/page/html-page.ts'
import type { TaggedOperations } from './tagged-operations.ts'

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
 * server (`scripts/reference-script.js`); the page loads nothing from anybody else. Until the script
 * has come, the page is a list of all operations.
 */
export function referencePage(
  assetVersion: string,
  operations: readonly TaggedOperations[],
): string {
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
<script src="${asset('script.js')}" defer></script>
<script src="${asset('scalar.js')}" defer></script>
<script src="${asset('reference.js')}" defer></script>
</head>
<body>
<a class="skip-link" href="#main">Skip to content</a>
${siteHeader({ assetVersion })}
<nav class="tabs" aria-label="Documentation">
<div class="bar">
<a class="tab" href="/docs">Documentation</a>
<a class="tab" href="/docs/api" aria-current="page">API reference</a>
<a class="tab" href="/docs/errors">Errors</a>
<a class="tab" href="/openapi.json">openapi.json</a>
</div>
</nav>
<div id="main" tabindex="-1">
<div id="reference"></div>
<main class="without-script">
<h1>API reference</h1>
<p class="lead">A script of this server draws the reference here, about 1 MB. Without it, read
<a href="/docs">the guides</a> and <a href="/openapi.json">the OpenAPI document</a>.</p>
${operations.map(
  ({ tag, operations: own }) => html`<section>
<h2>${tag}</h2>
<ul class="operations">${own.map(
    ({
      address,
      summary,
      href,
    }) => html`<li><a href="${href}">${summary}</a> <code>${address}</code></li>
`,
  )}</ul>
</section>`,
)}
</main>
</div>
</body>
</html>
`)
}
