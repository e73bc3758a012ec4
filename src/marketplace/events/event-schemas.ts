import { z } from 'zod'
import { EVENT_TYPE_NAMES, EVENT_TYPES, type EventType, OfApp } from './event-types.ts'

/** What every event has, whatever its type. */
const OfEvery = {
  id: z
    .uuid()
    .describe('The same in every delivery and attempt.')
    .meta({ id: 'EventId', example: '3f0c2a52-6e0b-4d0e-9b7e-1f5b0c1d2e3f' }),
  timestamp: z.iso
    .datetime()
    .describe('When it happened.')
    .meta({ id: 'EventTimestamp', example: '2026-11-22T09:30:00.000Z' }),
  position: z
    .int()
    .describe('Its place in your log: 1, 2, 3, ... without gaps.')
    .meta({ id: 'EventPosition', example: 42 }),
}

type DataOf<Type extends EventType> = z.output<z.ZodObject<(typeof EVENT_TYPES)[Type]['data']>>

/** An event of one type, as it is pulled and as it is delivered. */
export type EventOf<Type extends EventType> = {
  id: string
  type: Type
  timestamp: string
  position: number
  data: DataOf<Type>
}
export type Event = { [Type in EventType]: EventOf<Type> }[EventType]

const AppEventData = z.object(OfApp).meta({ id: 'AppEventData' })

type EventSchema = z.ZodObject<
  typeof OfEvery & { type: z.ZodLiteral<EventType>; data: z.ZodObject }
>

/** Type of event -> its schema. */
export const EVENT_SCHEMAS = Object.fromEntries(
  EVENT_TYPE_NAMES.map((type) => [type, schemaOf(type)]),
) as Record<EventType, EventSchema>

/** Any event. */
export const Event = z
  .discriminatedUnion('type', Object.values(EVENT_SCHEMAS) as [EventSchema, ...EventSchema[]])
  .describe('Something that happened to one of your apps.')
  .meta({ id: 'Event' })

function schemaOf(type: EventType): EventSchema {
  const { description, data } = EVENT_TYPES[type]
  return z
    .object({
      id: OfEvery.id,
      type: z.literal(type),
      timestamp: OfEvery.timestamp,
      position: OfEvery.position,
      data: dataSchema(data),
    })
    .describe(description)
    .meta({ id: eventComponent(type) })
}

/** Data that several types have gets a name of its own. */
function dataSchema(data: z.ZodRawShape): z.ZodObject {
  return data === OfApp ? AppEventData : z.object(data)
}

/** Name of the schema of a type: `installation.settings_changed` -> `InstallationSettingsChangedEvent`. */
export function eventComponent(type: EventType): string {
  return `${pascalCase(type)}Event`
}

/** `installation.settings_changed` -> `InstallationSettingsChanged`. */
export function pascalCase(type: EventType): string {
  return type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** An event of a type, as its schema shows each member. */
export function exampleEvent<Type extends EventType>(type: Type): EventOf<Type> {
  return exampleOf(EVENT_SCHEMAS[type]) as EventOf<Type>
}

function exampleOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodObject) {
    const members = Object.entries(schema.shape as z.core.$ZodShape)
    return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member)]))
  }
  if (schema instanceof z.ZodLiteral) return schema.value
  const { example, examples = [] } = z.globalRegistry.get(schema) ?? {}
  return example ?? (examples as unknown[])[0]
}
