export type JsonSchema = { [keyword: string]: unknown }
export type Ref = { $ref: string }

type Media = { schema?: JsonSchema; example?: unknown }
export type Response = {
  description: string
  headers?: Record<string, Ref>
  content?: Record<string, Media>
}

export type Parameter = {
  name: string
  in: string
  description?: string
  required?: boolean
  schema?: JsonSchema
  example?: unknown
  examples?: Record<string, { value?: unknown; 'x-disabled'?: boolean }>
}

export type Operation = {
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Ref)[]
  requestBody?: { content: Record<string, Media> }
  responses?: Record<string, Response | Ref>
}

/** The part of an OpenAPI 3.1 document that is completed here. */
export type Document = {
  paths?: Record<string, Record<string, Operation>>
  webhooks?: Record<string, object>
  components?: {
    schemas?: Record<string, JsonSchema>
    securitySchemes?: Record<string, object>
    [kind: string]: Record<string, object> | undefined
  }
}

/** Every operation of a document with its method, in lower case, and its path. */
export function operationsOf(document: Document): [string, string, Operation][] {
  return Object.entries(document.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, one]): [string, string, Operation] => [
      method,
      path,
      one,
    ]),
  )
}
