/**
 * Node's own `http`. An `import` reads each of its exports, and one of them loads the HTTP client
 * behind `fetch`: 14 MB of memory, and a tenth of a second. Only single sign-on uses that client,
 * and loads it with its first request to the provider.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
