import type { AppListing } from '../../../marketplace/apps/listing/app-listing.ts'
import type { FormSpec } from '../../kit/fields.ts'
import { type FormFields, multilineText } from '../../shared/forms/settings-form.ts'

const email = (label: string, pointer: string, hint: string) =>
  ({ label, hint, keyboard: 'email', optional: true, pointers: [pointer] }) as const

/** The controls of the form of a listing. */
export const LISTING_FIELDS: FormSpec = {
  tagline: {
    label: 'Tagline',
    hint: 'What the app is, in a line beside its name: at most 80 characters.',
  },
  longDescription: {
    label: 'Long description',
    kind: 'lines',
    rows: 14,
    optional: true,
    hint: 'Markdown: headings, lists, links and emphasis. HTML and pictures in it are not shown.',
  },
  dataStored: {
    label: 'Data that the app keeps',
    kind: 'lines',
    optional: true,
    pointers: ['/disclosure/dataStored'],
    hint: 'What the app stores on your side, in plain words.',
  },
  dataLeavesTo: {
    label: 'Where data goes',
    kind: 'lines',
    optional: true,
    pointers: ['/disclosure/dataLeavesTo'],
    hint: 'Such as countries, one in a line.',
  },
  retentionDays: {
    label: 'Days until data is deleted',
    keyboard: 'numeric',
    optional: true,
    unit: 'days after the uninstall',
    pointers: ['/disclosure/retentionDays'],
  },
  subprocessors: {
    label: 'Subprocessors',
    kind: 'lines',
    optional: true,
    pointers: ['/disclosure/subprocessors'],
    hint: 'Companies that handle the data for you, one in a line.',
  },
  technical: email(
    'Technical contact',
    '/contacts/technical',
    'The operator can see the contacts.',
  ),
  billing: email('Billing contact', '/contacts/billing', 'For questions about prices.'),
  security: email('Security contact', '/contacts/security', 'For reports of vulnerabilities.'),
}

/** A listing as its form shows it. */
export function fieldsOfListing({ contacts, disclosure, ...listing }: AppListing): FormFields {
  return new Map([
    ['tagline', listing.tagline],
    ['longDescription', listing.longDescription],
    ['dataStored', disclosure.dataStored],
    ['dataLeavesTo', disclosure.dataLeavesTo.join('\n')],
    ['retentionDays', String(disclosure.retentionDays ?? '')],
    ['subprocessors', disclosure.subprocessors.join('\n')],
    ...Object.entries(contacts).map(([kind, address]) => [kind, address ?? ''] as const),
  ])
}

/**
 * What was typed, to be checked as the API does. What the form has no field for stays.
 *
 * @param before the listing as it is
 */
export function listingOfFields(typed: FormFields, { categories }: AppListing): AppListing {
  const text = (name: string) => typed.get(name)?.trim() ?? ''
  const lines = (name: string) =>
    multilineText(typed, name)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const days = text('retentionDays')
  return {
    tagline: text('tagline'),
    longDescription: multilineText(typed, 'longDescription'),
    categories,
    contacts: {
      technical: text('technical') || null,
      billing: text('billing') || null,
      security: text('security') || null,
    },
    disclosure: {
      dataStored: multilineText(typed, 'dataStored'),
      dataLeavesTo: lines('dataLeavesTo'),
      retentionDays: days === '' ? null : Number(days),
      subprocessors: lines('subprocessors'),
    },
  }
}
