import { when } from '../status/history-view.ts'
import { fact } from './blocks.ts'
import { copied } from './copied.ts'
import { type Html, html } from './html.ts'

/**
 * A password that is shown once, with what belongs to it: label -> value.
 *
 * `what` it is called, unless it is a password; `file`: the name of a file for it, if it is several
 * ones that are shown, copied and downloaded as one text; `until`: the time at
 * which it ends, in ISO 8601; `use`: how it is used, and a line of code that does.
 */
export type Secret = {
  title: string
  facts: Readonly<Record<string, string>>
  what?: string
  file?: string
  until?: string
  use?: { text: string; code: string }
}

/** What has just happened: in words, or a password that was made. */
export type Message = string | Secret

/** The message in a few words, for the title of the page. */
export function messageTitle(message: Message | undefined): string | undefined {
  return typeof message === 'object' ? message.title : message
}

/**
 * What has just happened, above the content of a page; nothing when there is nothing to say.
 *
 * @param options `takesFocus`: unless something else of the page has the focus, which is how readers
 *   are told
 */
export function messageView(
  message: Message | undefined,
  { takesFocus = true }: { takesFocus?: boolean } = {},
): Html | false {
  if (message === undefined) return false
  const focus = takesFocus && html` tabindex="-1" autofocus`
  if (typeof message === 'string') {
    return html`<div class="notice" role="status"${focus}><p>${message}</p></div>`
  }
  const { title, facts, what = 'password', file, until, use } = message
  return html`<div class="notice warning" role="status"${focus}><p>
<strong>${title}</strong> ${
    file === undefined
      ? `Copy the ${what} now: it is shown only once.`
      : `Save these ${what} now. You will not see them again.`
  }</p>${
    file === undefined ? factList(facts, until) : textOf(file, what, Object.values(facts))
  }${use && html`<p>${use.text} <code data-copy>${use.code}</code></p>`}</div>`
}

function factList(facts: Secret['facts'], until: string | undefined): Html {
  return html`<dl class="facts">
${Object.entries(facts).map(([label, value]) =>
  fact(label, copied(value)),
)}${until !== undefined && html`<dt>Works until</dt><dd>${when(new Date(until))}</dd>`}</dl>`
}

/** Several secrets, one a line, to be copied at once or kept as a file. */
function textOf(file: string, what: string, lines: readonly string[]): Html {
  const text = lines.join('\n')
  const href = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`
  return html`<dl class="facts"><dt>All ${what}</dt><dd><code class="lines" data-copy>${text}</code></dd></dl>
<p class="actions"><button class="button" type="button" data-print hidden>Print</button>
<a class="button" download="${file}" href="${href}">Download</a></p>`
}
