/** The part of JSON Schema 2020-12 that the API's OpenAPI document uses. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
  items?: JsonSchema
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  example?: unknown
  examples?: unknown[]
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
}

/** The named schemas of a document. */
export type Schemas = Readonly<Record<string, JsonSchema>>

export type Media = { schema?: JsonSchema; example?: unknown }

export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: JsonSchema
  example?: unknown
}

export type Answer = {
  description?: string
  content?: Record<string, Media>
  headers?: Record<string, { description?: string; schema?: JsonSchema }>
}

export type OperationObject = {
  operationId?: string
  summary?: string
  description?: string
  deprecated?: boolean
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; description?: string; content?: Record<string, Media> }
  responses?: Record<string, Answer>
}

/** The part of an OpenAPI 3.1 document that the documentation is made from. */
export type OpenApiDocument = {
  info: { title: string; version: string; description?: string }
  tags?: { name: string; description?: string }[]
  paths?: Record<string, Record<string, OperationObject>>
  components?: {
    schemas?: Record<string, JsonSchema>
    securitySchemes?: Record<string, { description?: string }>
  }
}
