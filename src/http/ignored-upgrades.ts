import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../errors.ts'
import { isBetweenRequests } from './fair-share/requests-in-order.ts'

/** Node keeps no more headers of a request than this, names and values counted. */
const RAW_HEADERS_MAX = 2_000

/**
 * Ignores what clients would rather speak (`Upgrade`, RFC 9110, 7.8), as Java's HttpClient asks for
 * HTTP/2 with its first request, without losing what they send behind it. Node alone answers such a
 * request, but its parser has stopped behind it, and passes over the rest of what it was reading: the
 * next request of the connection gets no answer. So the request is read again, without the header.
 *
 * One that was sent ahead, while the answer to another is in the making, is the last one of its
 * connection, and its answer says so: of that one, `shouldUpgradeCallback` in the options of the server
 * says no.
 */
export function ignoreUpgrades(server: Server): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, rest: Buffer) => {
    if (request.rawHeaders.length >= RAW_HEADERS_MAX) {
      // Read again without all its headers, it could be another request.
      refuse(socket, new AppError('headers_too_large'))
      return
    }
    socket.unshift(Buffer.concat([headWithoutUpgrade(request), rest]))
    server.emit('connection', socket)
  })
  server.prependListener('request', (request, response) => {
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
  })
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    const detail = 'This server is no proxy: it does not take CONNECT.'
    if (isBetweenRequests(socket)) refuse(socket, new AppError('invalid_request', { detail }))
    else socket.destroy()
  })

  function refuse(socket: Socket, error: AppError): void {
    socket.on('error', () => socket.destroy())
    server.emit('clientError', error, socket)
  }
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[index + 1]}`)
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}
