import type { ApiModel, Operation } from './api-model.ts'
import { formatJson } from './code-view.ts'
import type { JsonSchema, Parameter } from './openapi-types.ts'
import { exampleOf } from './schema-example.ts'

/** Media types whose body is written into the command; others come from a file. */
const JSON_TYPE = /^application\/(.+\+)?json$/

/** The shell variable that stands for a token of a security scheme. */
export function tokenVariable(scheme: string): string {
  return scheme.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
}

/** An example request as a curl command, with the required parameters and an example body. */
export function curlOf(operation: Operation, model: ApiModel): string {
  const { method, security, requestBody } = operation
  const url = quoted(model.baseUrl + pathOf(operation, model))
  const lines = [method === 'GET' ? `curl ${url}` : `curl -X ${method} ${url}`]
  const [scheme] = Object.keys(security?.[0] ?? {})
  if (scheme !== undefined) lines.push(`-H "authorization: Bearer $${tokenVariable(scheme)}"`)
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type !== undefined && media !== undefined) {
    lines.push(`-H 'content-type: ${type}'`)
    const body = media.example ?? exampleOf(media.schema ?? {}, model.schemas, false)
    lines.push(
      JSON_TYPE.test(type)
        ? `-d '${formatJson(body, '  ').replaceAll("'", `'\\''`)}'`
        : '--data-binary @file',
    )
  }
  return lines.join(' \\\n  ')
}

function pathOf({ path, parameters = [] }: Operation, model: ApiModel): string {
  const encoded = (parameter: Parameter | undefined) =>
    encodeURIComponent(parameter === undefined ? '' : parameterText(parameter, model))
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) =>
    encoded(parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)),
  )
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${encodeURIComponent(parameter.name)}=${encoded(parameter)}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

function parameterText(parameter: Parameter, model: ApiModel): string {
  const schema: JsonSchema = parameter.schema ?? {}
  if (parameter.example !== undefined) return String(parameter.example)
  // Named as a property would be, so that well-known names get their usual value.
  const named = exampleOf({ properties: { [parameter.name]: schema } }, model.schemas, true)
  return String((named as Record<string, unknown>)[parameter.name])
}

/** In double quotes where the shell would stumble; examples hold no `$`, backticks or quotes. */
function quoted(url: string): string {
  return /^[\w:/.%-]+$/.test(url) ? url : `"${url.replaceAll(/["$`\\]/g, encodeURIComponent)}"`
}
