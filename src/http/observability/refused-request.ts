import type { FastifyRequest } from 'fastify'
import { isUuid } from '../../base/values/shapes.ts'
import { knownPointer } from './known-pointer.ts'
import { stateOf } from './request-state.ts'

const POINTERS_MAX = 10
/** No number of ours is longer; card numbers are. */
const NUMBER = /^\d{1,10}$/
const APP_ID = /^[a-z0-9]+(-[a-z0-9]+)*$/
const APP_ID_MAX_LENGTH = 64

/**
 * What the line of a request that did not succeed says beside the others, as members of its JSON:
 * - `path`: the route with those parameters that are ids, because the address as it was sent may hold
 *   anything, such as a token that was pasted in the wrong place; and each of these ids by its name
 * - `installationId`: the installation that the body names
 * - `code` and `reason`: of the error, both from closed lists
 * - `pointers`: the first places in the input that have a problem, without what was sent there
 */
export function refusedMembers(request: FastifyRequest): string {
  const { url: route } = request.routeOptions
  const { refusal, installationId } = stateOf(request)
  const ids = idsIn(request)
  const pointers = pointersOf(request)
  const members = {
    ...(route !== undefined && { path: withIds(route, ids) }),
    ...(installationId !== null && { installationId }),
    ...ids,
    ...(refusal !== null && { code: refusal.code }),
    ...(refusal?.options.reason !== undefined && { reason: refusal.options.reason }),
    ...(pointers.length > 0 && { pointers }),
  }
  const json = JSON.stringify(members).slice(1, -1)
  return json === '' ? '' : `,${json}`
}

function withIds(route: string, ids: Readonly<Record<string, string>>): string {
  return route.replaceAll(/:(\w+)/g, (parameter, name: string) => ids[name] ?? parameter)
}

/** The parameters of the path that are ids: nothing else has their form. */
function idsIn(request: FastifyRequest): Record<string, string> {
  const { params, routeOptions } = request
  const { url: route = '' } = routeOptions
  const ids = Object.entries((params ?? {}) as Record<string, string>).filter(
    ([name, value]) =>
      isUuid(value) || NUMBER.test(value) || (isAppOf(route, name) && isAppId(request, value)),
  )
  return Object.fromEntries(ids)
}

function isAppOf(route: string, name: string): boolean {
  return name === 'appId' || route.includes(`/Apps/:${name}`)
}

/**
 * Ids of apps look like words. They are logged where somebody known asked for something that may be
 * there: strangers, and whoever asks for what is not, may have typed anything.
 */
function isAppId(request: FastifyRequest, value: string): boolean {
  const { principal, deadToken, refusal } = stateOf(request)
  const isKnown = principal !== null || deadToken !== null
  const isForm = value.length <= APP_ID_MAX_LENGTH && APP_ID.test(value)
  return isKnown && refusal?.code !== 'not_found' && isForm
}

function pointersOf(request: FastifyRequest): string[] {
  const { errors = [] } = stateOf(request).refusal?.options ?? {}
  const { body, querystring, response } = request.routeOptions.schema ?? {}
  // What lacks something itself, such as an app that is not ready to be listed, is what is answered.
  const schemas = [body, querystring, ...Object.values(response ?? {})]
  const known = errors.map(({ pointer }) => knownPointer(pointer, schemas))
  return [...new Set(known)].filter((pointer) => pointer !== '').slice(0, POINTERS_MAX)
}
