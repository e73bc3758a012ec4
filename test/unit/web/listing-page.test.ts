import { expect, test } from 'vitest'
import { appOf, publicAppOf } from '../../../src/marketplace/apps/app-record.ts'
import type { AppDefinition } from '../../../src/marketplace/apps/definition.ts'
import { EMPTY_LISTING } from '../../../src/marketplace/apps/listing/app-listing.ts'
import { listingPage, ON_LISTING } from '../../../src/web/marketplace/listing-page.ts'

/** A definition with a word of its own in each member, so that a page shows which ones it has. */
const DEFINITION: AppDefinition = {
  id: 'word-id',
  name: 'Word name',
  description: 'Word description',
  partyTypes: ['Seller'],
  version: 'word-version',
  releaseNotes: 'Word notes',
  permissions: [{ id: 'products:read', purpose: 'Word purpose' }],
  purchaseOptions: [
    {
      id: 'basic',
      name: 'Word option',
      description: '',
      pricingModel: 'FlatMonthly',
      currency: 'USD',
      monthlyRate: 1,
      order: 1,
    },
  ],
  settings: {
    basic: {
      key: { type: 'text', name: 'Word setting', mandatory: false, order: 1, scope: 'user' },
    },
  },
  acknowledgements: [{ id: 'a', title: 'Word title', text: 'Word text', order: 1 }],
  authReturnUrl: 'https://word-return.example/',
  tokenDelivery: 'code',
  redirectErrors: 'return',
  websiteUrl: 'https://word-website.example/',
  supportUrl: 'https://word-support.example/',
}

/** How a page would show each member. */
const SHOWN: Record<keyof AppDefinition, string> = {
  id: 'word-id</code>',
  name: 'Word name',
  description: 'Word description',
  partyTypes: 'For Sellers',
  version: 'word-version',
  releaseNotes: 'Word notes',
  permissions: 'Word purpose',
  purchaseOptions: 'Word option',
  settings: 'Word setting',
  acknowledgements: 'Word title',
  authReturnUrl: 'word-return.example',
  tokenDelivery: 'code on request',
  redirectErrors: 'redirectErrors',
  websiteUrl: 'https://word-website.example/',
  supportUrl: 'https://word-support.example/',
}

test('a listing shows the members of a definition that it says it shows, and no others', () => {
  const now = new Date(0)
  const facts = {
    developerName: 'Dev',
    tagline: '',
    icon: null,
    screenshots: [],
    listed: true,
    visibility: 'listed' as const,
    suspended: false,
    suspendedReason: null,
    termsDocument: null,
    createdAt: now,
    updatedAt: now,
  }
  const { pieces } = listingPage({
    app: publicAppOf(appOf(DEFINITION, facts)),
    words: EMPTY_LISTING,
    visibility: 'listed',
    suspensions: [],
    options: DEFINITION.purchaseOptions,
    asked: undefined,
    publicUrl: 'https://market.example',
    accounts: [],
    background: false,
    account: undefined,
    hasChosen: false,
    user: undefined,
    csrfToken: 'csrf',
    assetVersion: 'version',
  })
  const page = [...pieces()].join('').replaceAll(/\s+/g, ' ')
  const shown = Object.entries(SHOWN).map(([field, text]) => [field, page.includes(text)])
  expect(Object.fromEntries(shown)).toEqual(ON_LISTING)
})
