import type { App } from '../app-type.ts'
import type { RequestEnd } from '../observability/request-end.ts'
import { limitWaits, type StartDeadline } from './request-deadline.ts'
import { takeRequestsInOrder } from './requests-in-order.ts'
import { limitSmallChunks } from './small-chunks.ts'

/**
 * Bounds what one client can take from the others, from its first byte on. The caller is the principal,
 * and the client's network before one is known (`callerOf`).
 *
 * | what a client does | bound |
 * |---|---|
 * | sends requests ahead | one at a time for a connection (`takeRequestsInOrder`) |
 * | sends a body in thousands of tiny chunks | refused (`limitSmallChunks`) |
 * | goes on with a refused body | ten seconds (`limitRest`) |
 * | announces or sends much | bytes for a caller (`createBodyRoom`) |
 * | asks for much, and reads it slowly | bytes for a caller, and a pace (`limitWaits`) |
 * | waits for locks or slow statements | nine seconds (`limitWaits`) |
 * | asks for work that takes long | callers take turns: `nextTick`, `createSlots`, the pool of Postgres |
 * | sends pictures | two for a developer, one read at a time (`createPictureConverter`) |
 * | asks for more than the server can do | refused before it is begun (`shedOverload`) |
 *
 * `docs/threat-model.md` says what a proxy does of it, and which trial shows it.
 */
export function limitCallers(app: App, onEnd: (listener: RequestEnd) => void): StartDeadline {
  takeRequestsInOrder(app.server, onEnd)
  limitSmallChunks(app.server)
  return limitWaits(onEnd)
}
