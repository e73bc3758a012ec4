import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { lookupByDns } from '../../../../src/marketplace/webhooks/sending/lookup.ts'

const NAME = 'receiver.example.com'
const TYPE_A = 1
const NOT_FOUND = 3

/** A name server on loopback: type of the question -> addresses as bytes; another type has none. */
async function startNameServer(records: Record<number, number[][]> | 'silent') {
  const socket = createSocket('udp4')
  const asked: Buffer[] = []
  socket.on('message', (question, from) => {
    asked.push(question)
    if (records === 'silent') return
    socket.send(answerTo(question, records), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  return { servers: [`127.0.0.1:${socket.address().port}`], asked }
}

/** An answer by RFC 1035, 4.1: the question again, and a record for each address. */
function answerTo(question: Buffer, records: Record<number, number[][]>): Buffer {
  const end = question.indexOf(0, 12) + 5
  const type = question.readUInt16BE(end - 4)
  const found = records[type] ?? []
  const head = Buffer.from(question.subarray(0, end))
  head.writeUInt16BE(0x8180 | (found.length === 0 ? NOT_FOUND : 0), 2)
  head.writeUInt16BE(found.length, 6)
  head.writeUInt32BE(0, 8)
  const rows = found.map((address) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]),
  )
  return Buffer.concat([head, ...rows])
}

test('a name has the addresses of both families, IPv4 first', async () => {
  const { servers } = await startNameServer({
    [TYPE_A]: [[93, 184, 216, 34]],
    28: [[0x26, 6, 0x47, 0, ...Array<number>(11).fill(0), 1]],
  })
  expect(await lookupByDns(NAME, servers)).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ])
})

test('a name of one family is resolved', async () => {
  const { servers } = await startNameServer({ [TYPE_A]: [[93, 184, 216, 34]] })
  expect(await lookupByDns(NAME, servers)).toEqual([{ address: '93.184.216.34', family: 4 }])
})

test('a name that does not exist is an error', async () => {
  const { servers } = await startNameServer({})
  await expect(lookupByDns(NAME, servers)).rejects.toMatchObject({ code: 'ENOTFOUND' })
})

test('name servers that never answer block no thread, and the look-up ends', async () => {
  const { servers, asked } = await startNameServer('silent')
  // By the time of the queries, or by that of the whole look-up where the machine is slow.
  const code = expect.stringMatching(/^E(TIMEOUT|CANCELLED)$/)
  await expect(lookupByDns(NAME, servers)).rejects.toMatchObject({ code })
  expect(asked.length).toBeGreaterThanOrEqual(2)
})
