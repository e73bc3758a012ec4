import type { AppListing } from '../../../marketplace/apps/listing/app-listing.ts'
import { bdi, card, fact } from '../page/blocks.ts'
import { type Html, html } from '../page/html.ts'
import { paragraphs } from '../page/paragraphs.ts'

/** What the developer says that becomes of the data; nothing where nothing is said. */
export function disclosureCard({ disclosure }: Pick<AppListing, 'disclosure'>): Html | false {
  const { dataStored, dataLeavesTo, retentionDays, subprocessors } = disclosure
  const hasFacts = dataLeavesTo.length + subprocessors.length > 0 || retentionDays !== null
  if (!hasFacts && dataStored.trim() === '') return false
  return card(
    'data',
    'Your data',
    html`<p class="muted">In the words of the developer. The operator of this marketplace has not checked it.</p>
${dataStored.trim() !== '' && paragraphs(dataStored)}
${
  hasFacts &&
  html`<dl class="facts">
${dataLeavesTo.length > 0 && fact('Data goes to', listed(dataLeavesTo))}
${retentionDays !== null && fact('Deleted', retentionText(retentionDays))}
${subprocessors.length > 0 && fact('Subprocessors', listed(subprocessors))}</dl>`
}`,
  )
}

function retentionText(days: number): string {
  if (days === 0) return 'At once after you uninstall the app'
  return `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'} after you uninstall the app`
}

const CONTACTS = { technical: 'Technical', billing: 'Billing', security: 'Security' } as const

/** Whom to write to; nothing where nobody is named. */
export function contactsCard({ contacts }: Pick<AppListing, 'contacts'>): Html | false {
  const named = Object.entries(CONTACTS).flatMap(([kind, label]) => {
    const email = contacts[kind as keyof typeof CONTACTS]
    return email === null ? [] : [fact(label, html`<a href="mailto:${email}">${bdi(email)}</a>`)]
  })
  return named.length > 0 && card('contacts', 'Contacts', html`<dl class="facts">${named}</dl>`)
}

function listed(texts: readonly string[]): Html {
  return html`<ul class="bullets">${texts.map((text) => html`<li>${bdi(text)}</li>`)}</ul>`
}
