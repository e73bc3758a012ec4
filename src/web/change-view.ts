import { CHANGE_KINDS, type Change } from '../apps/change-kinds.ts'
import { type Html, html } from './html.ts'

/**
 * Every change between two definitions, and where.
 *
 * @param options `markBreaking`: says which of them need a new version
 */
export function changeList(
  changes: readonly Change[],
  { markBreaking }: { markBreaking: boolean },
): Html {
  const ordered = markBreaking
    ? [...changes].sort((a, b) => Number(b.breaking) - Number(a.breaking))
    : changes
  return html`<ul class="changes">${ordered.map(
    ({ kind, pointer, detail, breaking }) =>
      // Said once: a change without more to say has the meaning of its kind as its detail.
      html`<li>${markBreaking && breaking && html`<span class="badge badge-off">Breaking</span> `}${CHANGE_KINDS[kind].meaning} <span class="fine"><code>${place(pointer)}</code>${detail !== CHANGE_KINDS[kind].meaning && html` <bdi>${detail}</bdi>`}</span></li>
`,
  )}</ul>`
}

/** `/settings/premium/margin` -> `settings › premium › margin`. */
function place(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' › ')
}
