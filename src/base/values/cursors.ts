import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../errors.ts'
import type { Position } from './page-of-list.ts'

const MAC_BYTES = 16

/** Secret texts for MACs: the first makes them, any of them proves one. */
export type CursorKeys = readonly [string, ...string[]]

/**
 * Makes and reads the cursors of one list as one principal sees it. A cursor names a position
 * only; it is bound by a MAC to the list, the principal and the filters, so that one from
 * elsewhere is refused.
 */
export type Cursors = {
  encode(position: Position): string
  /** @throws AppError invalid_cursor when this list did not give it out */
  decode(cursor: string): Position
}

/**
 * @param keys for the MAC (HMAC-SHA256, shortened)
 * @param scope everything a cursor may not be carried across, such as list, principal, filters
 */
export function cursorsFor(keys: CursorKeys, scope: unknown): Cursors {
  const macOf = (key: string, position: string) =>
    createHmac('sha256', key)
      .update(`${JSON.stringify(scope)}\0${position}`)
      .digest()
      .subarray(0, MAC_BYTES)
  return {
    encode(position) {
      const text = JSON.stringify(position)
      return Buffer.concat([macOf(keys[0], text), Buffer.from(text)]).toString('base64url')
    },
    decode(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const text = bytes.subarray(MAC_BYTES).toString('utf8')
      const mac = bytes.subarray(0, MAC_BYTES)
      const authentic =
        bytes.length > MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        keys.some((key) => timingSafeEqual(mac, macOf(key, text)))
      if (!authentic) {
        throw new AppError('invalid_cursor', {
          detail: 'Take cursors from the Link header of this list, with the same filters.',
          errors: [{ pointer: '/cursor', detail: 'This list did not give out this cursor.' }],
        })
      }
      return JSON.parse(text) as Position
    },
  }
}
