import { writeFile } from 'node:fs/promises'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/**
 * Takes the script of the API reference out of its package and writes it beside the other assets:
 * the server needs nothing else of the package. npm runs this after each install.
 */
const TARGET = new URL('../src/web/assets/scalar.js', import.meta.url)

const app = Fastify()
await app.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await app.inject('/js/scalar.js')
await app.close()
if (statusCode !== 200) throw new Error(`The package answers its script with ${statusCode}.`)
await writeFile(TARGET, rawPayload)
