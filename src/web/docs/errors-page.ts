import { ERROR_CODES, type ErrorCode } from '../../errors.ts'
import { jsonBox } from '../shared/page/code-view.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type DocsContext, docsPage } from './docs-page.ts'
import { ERROR_GUIDE } from './error-guide.ts'
import { markdown } from './markdown.ts'

/** The page that the `type` of every problem document leads to. */
export function errorsPage(context: DocsContext): string {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[]
  return docsPage(
    {
      path: '/docs/errors',
      title: 'Errors',
      lead: html`<p>Every code that an error response can carry, what it means and what to do next.</p>`,
      contents: codes.map((code) => ({ href: `#${code}`, label: code })),
      body: html`${shape(context)}
<div class="error-list">
${codes.map((code) => entry(code, context))}
</div>`,
    },
    context,
  )
}

function entry(code: ErrorCode, { linkOf }: DocsContext): Html {
  const { status, title } = ERROR_CODES[code]
  return html`<section class="error-entry" id="${code}" aria-labelledby="${code}-title">
<h2 id="${code}-title"><a class="anchor" href="#${code}"><code>${code}</code></a> ${statusBadge(status)}</h2>
<p class="error-title">${title}.</p>
<div class="prose">${markdown(ERROR_GUIDE[code], linkOf)}</div>
</section>`
}

function shape({ baseUrl }: DocsContext): Html {
  return html`<section class="operation" aria-label="The shape of an error">
<div class="operation-text prose">
<p>Errors of the API are problem documents (RFC 9457) of the type
<code>application/problem+json</code>.</p>
<ul>
<li><code>code</code> is stable: let programs decide by it, and by nothing else.</li>
<li><code>type</code> is the address of its entry on this page.</li>
<li><code>title</code> is the same for every occurrence; <code>detail</code> says what is wrong
with this request. Both are for people and may be reworded.</li>
<li><code>errors</code> comes with wrong input: every problem at once, each with a JSON pointer
(RFC 6901) to its place in the body. A parameter is named as <code>/name</code>.</li>
<li><code>requestId</code> is also in the header <code>x-request-id</code> of every response; it names
the request in the server’s logs.</li>
<li>Some codes bring members of their own, such as <code>required</code> and <code>granted</code> of
<a href="#insufficient_scope"><code>insufficient_scope</code></a>.</li>
</ul>
<p>Codes may be added. Treat one that you do not know by its status: 4xx is a request to be changed,
429 and 503 are to be repeated after the <code>retry-after</code> they carry.</p>
</div>
<div class="operation-example">
${jsonBox(html`Response ${statusBadge(400)}`, 'Example of an error', {
  type: `${baseUrl}/docs/errors#invalid_request`,
  title: ERROR_CODES.invalid_request.title,
  status: ERROR_CODES.invalid_request.status,
  detail: `${ERROR_CODES.invalid_request.title}.`,
  code: 'invalid_request' satisfies ErrorCode,
  requestId: '5e0b7a52-6d43-4d0c-9a6f-0f6f3c1f9f10',
  errors: [{ pointer: '/installationId', detail: 'must be a string' }],
})}
</div>
</section>`
}

function statusBadge(status: number): Html {
  return html`<span class="status status-${Math.floor(status / 100)}">${status}</span>`
}
