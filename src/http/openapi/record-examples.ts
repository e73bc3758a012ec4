import examples from '../../../openapi/examples.json' with { type: 'json' }
import type { Document } from './document.ts'

/**
 * Gives each record an example of a whole one, as mock servers and collections of requests show it,
 * beside the examples of its members.
 *
 * @throws Error when an example is of a schema that is not there, or has one of its own
 */
export function withRecordExamples(document: Document): Document {
  const schemas = { ...document.components?.schemas }
  for (const [name, example] of Object.entries(examples)) {
    const schema = schemas[name]
    if (schema === undefined) throw new Error(`openapi/examples.json: there is no schema ${name}`)
    if ('example' in schema) throw new Error(`openapi/examples.json: ${name} has an example`)
    schemas[name] = { ...schema, example }
  }
  return { ...document, components: { ...document.components, schemas } }
}
