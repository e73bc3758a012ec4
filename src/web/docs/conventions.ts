import { codeBox } from '../shared/page/code-view.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { DocsContext } from './docs-page.ts'
import { markdown } from './markdown.ts'

const RULES: [string, string, string][] = [
  [
    'paths',
    'Paths',
    'Paths are matched without regard to case and a trailing slash is ignored: `/v1/products/` ' +
      'is `/v1/Products`. Every path also works under the prefix `/api`, as in ' +
      '`/api/v1/user/profile`.',
  ],
  [
    'bodies',
    'Bodies',
    'JSON in UTF-8, at most 1 MiB (16 KiB to sign in), 100,000 values and names, and 1,000 ' +
      'names in one object, with `content-type: application/json`, not compressed. Types are ' +
      'taken as they are: strings are not converted to numbers. Names are in camelCase and ' +
      'matter to the letter; members and query parameters that an operation does not know are ' +
      'refused, but by sign-ins and `POST /v1/Developer/Token`. Responses are compressed with ' +
      '`accept-encoding: br` or `gzip`.',
  ],
  [
    'errors',
    'Errors',
    'Every error is a problem document with a stable `code`; wrong input gets every problem at ' +
      'once, each with a JSON pointer. Of another shape (a wrong type, a member that is missing ' +
      'or unknown) is 400, of the right shape but against a rule is 422. [All ' +
      'codes](/docs/errors) and what to do about them.',
  ],
  [
    'lists',
    'Lists',
    'A list is a bare JSON array of at most `limit` entries (1 to 1000, default 1000). When ' +
      'there is more, and only then, the header `link` holds the address of the next page: ' +
      'follow it as it is until it is gone. The order is stable while entries are added.',
  ],
  [
    'conditions',
    'Writing without loss',
    'Apps, their terms documents, installations, webhook endpoints and products come with an ' +
      '`etag`. Send it as `if-match` with a ' +
      'change: when somebody else was first, the change is refused with 412 ' +
      '`precondition_failed` and nothing is overwritten.',
  ],
  ['timestamps', 'Timestamps', 'ISO 8601 in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.'],
  [
    'money',
    'Money',
    'JSON numbers in major units, with at most the decimals of their currency: `19.5` USD, ' +
      '`1200` JPY. The server calculates in whole minor units, so nothing is lost to rounding. ' +
      'Prices of products have at most 2 decimals.',
  ],
  [
    'cors',
    'Browsers',
    'Operations that take an installation token, the public catalogue, keys, metadata and ' +
      '`/oauth/...` answer scripts of any origin (CORS, without credentials). All others answer ' +
      'none: call them from your server.',
  ],
  [
    'request-ids',
    'Request ids',
    'Every response has the header `x-request-id`; give it to the operator when something is unclear.',
  ],
  [
    'changes',
    'Changes to the API',
    'Fields, operations and error codes may be added under `/v1`: ignore those you do not ' +
      'know. A change that would break callers gets another prefix.',
  ],
]

/** What holds for every operation. */
export function conventions({ baseUrl, linkOf }: DocsContext): Html {
  const link = codeBox(
    'Header of a page that is not the last',
    'Example of a Link header',
    html`link: &lt;${baseUrl}/v1/Products?limit=100&amp;cursor=<span class="tok-string">c3Rv…</span>&gt;; rel="next"`,
  )
  return html`<dl class="facts conventions">${RULES.map(
    ([id, title, text]) =>
      html`<dt id="${id}">${title}</dt><dd>${markdown(text, linkOf)}${id === 'lists' && link}</dd>`,
  )}</dl>`
}
