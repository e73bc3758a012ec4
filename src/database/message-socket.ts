import { Socket } from 'node:net'

const READ_BYTES = 65_536
/** What a connection keeps for the next long message; more is given back. */
const KEPT_BYTES_MAX = 262_144
/** Type and length, which begin every message; the length counts itself and what follows. */
const HEADER_BYTES = 5
const LENGTH_OFFSET = 1

/** All connections read into the same memory: what is in it is used before the next read. */
const incoming = Buffer.allocUnsafeSlow(READ_BYTES)

/**
 * Makes a socket to Postgres whose `data` are whole messages of its protocol, in memory that is used
 * again for the next ones; not for TLS, and not for COPY TO, whose data node-postgres does not copy.
 *
 * A plain socket makes new memory for each read, and the parser of node-postgres more to join what
 * was read of one message: several times the size of the answer, all of it outside of the heap,
 * which made the garbage collector run all the time.
 */
export function createMessageSocket(): Socket {
  const gather = gatherMessages((messages) => socket.emit('data', messages))
  const socket = new Socket({
    onread: {
      buffer: incoming,
      callback(length) {
        gather(incoming.subarray(0, length))
        return true
      },
    },
  })
  return socket
}

/**
 * Cuts what is read of a connection into whole messages (PostgreSQL, "Message Formats").
 *
 * @param use called with one or more whole messages, which it may not keep
 * @returns takes what was read, in the order of the connection
 */
export function gatherMessages(use: (messages: Buffer) => void): (read: Buffer) => void {
  let kept = Buffer.alloc(0)
  let length = 0

  const keep = (bytes: Buffer) => {
    const needed = length + bytes.length
    if (needed > kept.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * kept.length))
      kept.copy(larger, 0, 0, length)
      kept = larger
    }
    bytes.copy(kept, length)
    length = needed
  }
  const useKept = () => {
    const end = endOfMessages(kept.subarray(0, length))
    if (end === 0) return
    use(kept.subarray(0, end))
    kept.copyWithin(0, end, length)
    length -= end
    if (length === 0 && kept.length > KEPT_BYTES_MAX) kept = Buffer.alloc(0)
  }
  return (read) => {
    if (length > 0) {
      keep(read)
      useKept()
      return
    }
    const end = endOfMessages(read)
    if (end > 0) use(read.subarray(0, end))
    if (end < read.length) keep(read.subarray(end))
  }
}

/** Where the last whole message ends. */
function endOfMessages(bytes: Buffer): number {
  let end = 0
  while (end + HEADER_BYTES <= bytes.length) {
    const length = bytes.readUInt32BE(end + LENGTH_OFFSET)
    // No message is so short: this is no Postgres, which the parser is to find out.
    if (length < HEADER_BYTES - LENGTH_OFFSET) return bytes.length
    if (end + LENGTH_OFFSET + length > bytes.length) break
    end += LENGTH_OFFSET + length
  }
  return end
}
