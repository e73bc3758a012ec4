import { type KeyObject, sign } from 'node:crypto'

export const encodeText = (text: string) => Buffer.from(text).toString('base64url')

export const encode = (value: unknown) => encodeText(JSON.stringify(value))

export const decode = (segment: string) => JSON.parse(Buffer.from(segment, 'base64url').toString())

/** A token with any header and claims, signed with ES256. */
export function signedBy(key: KeyObject, head: object, body: object): string {
  return signedText(key, JSON.stringify(head), JSON.stringify(body))
}

/** As `signedBy`, for texts that JSON.stringify does not write. */
export function signedText(key: KeyObject, head: string, body: string): string {
  const input = `${encodeText(head)}.${encodeText(body)}`
  // Of the two signatures of a text only the one whose second half is low is taken.
  let signature: Buffer
  do signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  while (key.asymmetricKeyType === 'ec' && signature.readUInt32BE(32) > 0x7fffffff)
  return `${input}.${signature.toString('base64url')}`
}
