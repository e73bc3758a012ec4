import { createHmac, timingSafeEqual } from 'node:crypto'
import { AppError } from '../errors.ts'
import type { Position } from './page-of-list.ts'

const MAC_BYTES = 16

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
 * @param key secret text, with which the MAC (HMAC-SHA256, shortened) is made
 * @param scope everything a cursor may not be carried across, such as list, principal, filters
 */
export function cursorsFor(key: string, scope: unknown): Cursors {
  const macOf = (position: string) =>
    createHmac('sha256', key)
      .update(`${JSON.stringify(scope)}\0${position}`)
      .digest()
      .subarray(0, MAC_BYTES)
  return {
    encode(position) {
      const text = JSON.stringify(position)
      return Buffer.concat([macOf(text), Buffer.from(text)]).toString('base64url')
    },
    decode(cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const text = bytes.subarray(MAC_BYTES).toString('utf8')
      const authentic =
        bytes.length > MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(text))
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
