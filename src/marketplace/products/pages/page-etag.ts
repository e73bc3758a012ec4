import { hash } from 'node:crypto'
import { CODINGS, type Coding } from '../../../base/compression/content-coding.ts'
import { matchingTag } from '../../../base/values/etags.ts'

const TAG_LENGTH = 22
const KEY_TAG_LENGTH = 4

/**
 * The tag of a page, without quotes: equal tags are equal pages.
 *
 * @param catalogue the state of the catalogue, such as `4:17,9:2`: every change of a product
 *   changes it. It needs no statement of its own: the check of the token reads it with every
 *   request (`catalogueKey`)
 * @param name what the page is, whatever the state: whose products, which of them, and where it
 *   begins
 */
export function pageTag(catalogue: string, name: string): string {
  return hash('sha256', `${catalogue}|${name}`, 'base64url').slice(0, TAG_LENGTH)
}

/**
 * Names the key that makes cursors, and so the links of pages. It stands before the tag in every
 * ETag: a page that was kept under another key has a link that is or will be refused, so it is not
 * unchanged.
 */
export function keyTagOf(cursorKey: string): string {
  return hash('sha256', `page tags|${cursorKey}`, 'base64url').slice(0, KEY_TAG_LENGTH)
}

/**
 * The ETag of a page in a content coding: each coding is another representation (RFC 9110,
 * 8.8.3.3).
 */
export function pageEtag(tag: string, coding?: Coding): string {
  return coding === undefined ? `"${tag}"` : `"${tag}-${coding}"`
}

/** The ETag in `If-None-Match` that names the page, whatever coding the client has. */
export function unchangedEtag(ifNoneMatch: string, tag: string): string | undefined {
  return matchingTag(ifNoneMatch, [
    pageEtag(tag),
    ...CODINGS.map((coding) => pageEtag(tag, coding)),
  ])
}
