import { type Html, html } from './html.ts'

type Content = Html | string | number | false | readonly (Html | string | number | false)[]

/** A fact of a `<dl class="facts">`: what it is, and its value. */
export function fact(label: string, value: Content): Html {
  return html`<dt>${label}</dt><dd>${value}</dd>
`
}

/** A section with a heading, and what stands beside the heading. */
export function card(id: string, title: string, content: Content, beside: Content = false): Html {
  const heading = html`<h2 id="${id}">${title}</h2>`
  return html`<section class="card" aria-labelledby="${id}">
${beside === false ? heading : html`<div class="card-title">${heading}${beside}</div>`}
${content}</section>
`
}

/** A name or another text of unknown direction, kept apart from the text around it. */
export function bdi(text: string): Html {
  return html`<bdi>${text}</bdi>`
}
