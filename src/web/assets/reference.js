/* global Scalar */
// Draws the reference from our own OpenAPI document. Nothing is loaded from or sent to others.
Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  servers: [{ url: location.origin }],
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  documentDownloadType: 'json',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: 'API reference · App Marketplace' },
})
