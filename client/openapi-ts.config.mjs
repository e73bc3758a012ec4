import { fileURLToPath } from 'node:url'

const pathOf = (file) => fileURLToPath(new URL(file, import.meta.url))

/** Generates types and calls of the API from the committed OpenAPI document. */
export default {
  input: pathOf('../openapi/openapi.json'),
  output: {
    path: pathOf('src/generated'),
    // Node runs the sources with these endings; the build rewrites them.
    module: { extension: '.ts' },
    // The generator's own code is not written for the strictest options of the compiler.
    header: ['// @ts-nocheck', '// Made by `npm run openapi` from openapi/openapi.json.'],
  },
  logs: { file: false },
  plugins: [
    { name: '@hey-api/client-fetch', throwOnError: true },
    '@hey-api/typescript',
    { name: '@hey-api/sdk', client: false },
  ],
}
