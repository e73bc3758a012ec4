import { MarketplaceError } from '../errors.ts'

/** Parses a stream with one JSON value per line, as the lines arrive. */
export async function* readNdjson<Value>(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Value> {
  const reader = stream.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    while (true) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield JSON.parse(line) as Value
    }
  } catch (cause) {
    throw cutOff(cause)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
  if (rest !== '') throw cutOff(undefined)
}

function cutOff(cause: unknown): MarketplaceError {
  const message = 'The connection dropped in the middle of the export. Discard what came.'
  return new MarketplaceError({ code: 'unreachable', message, cause })
}
