import { generateKeyPairSync, sign } from 'node:crypto'
import { isIP } from 'node:net'

export type TestCertificate = { key: string; cert: string }

const DAY_MS = 86_400_000

/**
 * A self-signed certificate (RFC 5280) for names and IPv4 addresses: trusted where it is given as
 * `ca`, and nowhere else.
 */
export function certificateFor(
  names: readonly string[],
  { validUntil = new Date(Date.now() + DAY_MS) } = {},
): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const name = sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from('test')))))
  const validity = sequence(time(new Date(validUntil.getTime() - 2 * DAY_MS)), time(validUntil))
  const alternativeNames = sequence(
    oid('551d11'),
    tlv(0x04, sequence(...names.map(alternativeName))),
  )
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.of(1)),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(alternativeNames)),
  )
  const signature = sign('sha256', content, privateKey)
  const der = sequence(content, algorithm, tlv(0x03, Buffer.of(0), signature))
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
  }
}

function alternativeName(name: string): Buffer {
  return isIP(name) === 4
    ? tlv(0x87, Buffer.from(name.split('.').map(Number)))
    : tlv(0x82, Buffer.from(name))
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(2, 14)
  return tlv(0x17, Buffer.from(`${digits}Z`))
}

const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'))
const sequence = (...parts: Uint8Array[]) => tlv(0x30, ...parts)

/** Tag, length and value (X.690, 8.1), for lengths below 64 KiB. */
function tlv(tag: number, ...parts: Uint8Array[]): Buffer {
  const value = Buffer.concat(parts)
  const length =
    value.length < 0x80 ? [value.length] : [0x82, value.length >> 8, value.length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...length), value])
}
