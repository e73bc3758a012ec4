import { type Html, html } from '../shared/page/html.ts'

/** How something stands: fine, at rest, in need of somebody, stopped. */
export type Tone = 'on' | 'idle' | 'warn' | 'off'

/** How something stands: a dot in the colour of its tone, and a word. */
export function stateBadge(tone: Tone, text: string | Html): Html {
  return html`<span class="badge badge-${tone}">${text}</span>`
}

/** Of which kind something is: an outline. */
export function typeBadge(text: string | Html): Html {
  return html`<span class="badge">${text}</span>`
}

/** What somebody may do: plain text. */
export function roleBadge(role: string): Html {
  return html`<span class="badge badge-role">${role}</span>`
}

/** What sets one row apart from the others, such as the latest: the only filled badge of a row. */
export function markBadge(text: string | Html): Html {
  return html`<span class="badge badge-mark">${text}</span>`
}
