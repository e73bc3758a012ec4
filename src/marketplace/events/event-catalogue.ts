import { z } from 'zod'
import { EVENT_SCHEMAS, Event, exampleEvent } from './event-schemas.ts'
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, EventTypeName } from './event-types.ts'

export const EventTypeRecord = z
  .object({
    type: EventTypeName,
    description: z
      .string()
      .describe('When it happens.')
      .meta({ example: EVENT_TYPES['installation.created'].description }),
    schema: z
      .record(z.string(), z.unknown())
      .describe('JSON Schema (2020-12) of the whole event.')
      .meta({ example: { type: 'object' } }),
    example: Event,
  })
  .meta({ id: 'EventType', description: 'A type of event with its JSON Schema and an example.' })
export type EventTypeRecord = z.output<typeof EventTypeRecord>

type TidySchema = (one: { jsonSchema: z.core.JSONSchema.BaseSchema }) => void

/**
 * Every type of event with its schema and an example.
 *
 * @param tidy leaves out of a schema what tells a reader nothing
 */
export function describeEventTypes(tidy: TidySchema): EventTypeRecord[] {
  return EVENT_TYPE_NAMES.map((type) => ({
    type,
    description: EVENT_TYPES[type].description,
    schema: jsonSchemaOf(type, tidy),
    example: exampleEvent(type),
  }))
}

/** The schema of what is sent. Its objects are open: later releases may send more members. */
function jsonSchemaOf(type: EventType, tidy: TidySchema): Record<string, unknown> {
  const schema = z.toJSONSchema(EVENT_SCHEMAS[type], {
    io: 'input',
    override(one) {
      tidy(one)
      listExample(one.jsonSchema)
    },
  })
  return schema as Record<string, unknown>
}

/** `example` is a word of OpenAPI: strict validators of JSON Schema know `examples` only. */
function listExample(schema: z.core.JSONSchema.BaseSchema): void {
  const { example } = schema
  if (example === undefined) return
  delete schema.example
  schema.examples = [example]
}
