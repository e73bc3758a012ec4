import { type Html, html } from './html.ts'

/** An address that a developer gave, as a fact with a link; nothing when there is none. */
export function outsideLink(url: string | null, label: string): Html | false {
  return (
    isWebAddress(url) &&
    html`<dt>${label}</dt><dd>
<a href="${url}" rel="noopener noreferrer nofollow"><bdi>${shortAddress(url)}</bdi></a></dd>`
  )
}

/** Anything else, such as `javascript:`, is no link; definitions are checked for it as well. */
function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url) && URL.canParse(url)
}

const ADDRESS_MAX_LENGTH = 60

/** An address as people write it: without its scheme, and not longer than a line or two. */
function shortAddress(url: string): string {
  const { host, pathname, search } = new URL(url)
  const text = `${host}${pathname === '/' && search === '' ? '' : pathname}${search}`
  return text.length > ADDRESS_MAX_LENGTH ? `${text.slice(0, ADDRESS_MAX_LENGTH)}…` : text
}
