import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { answerText, KEPT_ANSWER_BYTES } from '../attempts/answer-text.ts'

/** How many bytes of a response body are read before the connection is closed. */
const READ_ANSWER_BYTES = 64 * 1024
/** How many chunks are read: each has a byte or more, so that they hold all that is kept. */
const READ_ANSWER_CHUNKS = KEPT_ANSWER_BYTES

/** A receiver's response; `text` is the beginning of its body. */
export type ReceiverAnswer = { status: number; headers: IncomingHttpHeaders; text: string }

/**
 * Reads a response and passes it to `resolve`: up to 64 KiB, to its end, to where it breaks off, or
 * for `answerMs`. Compressed bodies are not unpacked.
 *
 * @returns a function that ends the reading at once
 */
export function readAnswer(
  response: IncomingMessage,
  answerMs: number,
  resolve: (answer: ReceiverAnswer) => void,
): () => void {
  const kept: Buffer[] = []
  let bytes = 0
  let chunks = 0
  const finish = () => {
    clearTimeout(timer)
    const start = Buffer.concat(kept)
    const isWhole = response.complete && bytes === start.length
    const { statusCode: status = 0, headers } = response
    resolve({ status, headers, text: answerText(start, isWhole) })
  }
  /** Closes the connection, so that the unread rest is not taken for the next response. */
  const cut = () => {
    finish()
    response.destroy()
    // What has arrived already is passed over.
    response.off('data', read)
  }
  const timer = setTimeout(cut, answerMs)
  const read = (chunk: Buffer) => {
    if (bytes < KEPT_ANSWER_BYTES) kept.push(chunk.subarray(0, KEPT_ANSWER_BYTES - bytes))
    bytes += chunk.length
    chunks += 1
    if (bytes > READ_ANSWER_BYTES || chunks > READ_ANSWER_CHUNKS) cut()
  }
  response.on('data', read)
  response.on('end', finish)
  response.on('error', finish)
  return cut
}
