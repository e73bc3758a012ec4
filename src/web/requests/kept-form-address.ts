import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/** The parameter of an address that names what its page shows again. */
const FORM_PARAMETER = 'form'

/** What an address names as kept. */
export function keptIn(address: string): string | undefined {
  const [, query] = address.split('?', 2)
  return z.uuid().safeParse(new URLSearchParams(query).get(FORM_PARAMETER)).data
}

/** The address of a page that shows again what is kept. */
export function addressOf(path: string, id: string): string {
  return `${path}?${FORM_PARAMETER}=${id}`
}

/** The address that was asked for, without its query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '/'
}
