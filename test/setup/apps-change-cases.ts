import { expect } from 'vitest'
import { type Author, draft, flat, newId } from './apps.ts'

type Draft = ReturnType<typeof draft>

const select = (values: (string | number)[], more: object = {}) => ({
  type: 'select',
  name: 'S',
  options: values.map((value) => ({ name: `n-${value}`, value })),
  ...more,
})

/** An app with something of everything, created; `edit` makes the next definition of it. */
export async function richApp(developer: Author) {
  const id = newId()
  const definition = draft(id, {
    permissions: [
      { id: 'products:read', purpose: 'Reads.' },
      { id: 'profile:read', purpose: 'Greets.' },
    ],
    purchaseOptions: [flat('free', 0), flat('basic', 5)],
    settings: {
      free: {
        text: { type: 'text', name: 'T', placeholder: 'p' },
        number: { type: 'number', name: 'N', min: 0, max: 10 },
        zone: select(['eu', 5, 'na']),
        secret: { type: 'password', name: 'P' },
      },
    },
    acknowledgements: [{ id: 'ack', title: 'Title', text: 'Text' }],
  })
  expect((await developer.create(definition)).status).toBe(201)
  const edit = (work: (copy: Draft) => void): Draft => {
    const copy = structuredClone(definition)
    work(copy)
    return copy
  }
  return { id, definition, edit }
}

/** What each rule of DESIGN section 5 calls breaking. */
export const BREAKING: [string, (copy: Draft) => void, [string, string][]][] = [
  [
    'a setting removed',
    (c) => delete c.settings.free?.text,
    [['setting_removed', '/settings/free/text']],
  ],
  [
    'a setting retyped',
    (c) => Object.assign(c.settings.free ?? {}, { text: { type: 'boolean', name: 'T' } }),
    [
      ['setting_retyped', '/settings/free/text/type'],
      ['setting_presentation_changed', '/settings/free/text/placeholder'],
    ],
  ],
  [
    'a setting made mandatory',
    (c) => Object.assign(c.settings.free?.text ?? {}, { mandatory: true }),
    [['setting_made_mandatory', '/settings/free/text/mandatory']],
  ],
  [
    'a setting given to the developer',
    (c) => Object.assign(c.settings.free?.text ?? {}, { scope: 'admin' }),
    [['setting_scope_changed', '/settings/free/text/scope']],
  ],
  [
    'a number narrowed',
    (c) => Object.assign(c.settings.free?.number ?? {}, { max: 9, min: 1, step: 1 }),
    [
      ['setting_narrowed', '/settings/free/number/max'],
      ['setting_narrowed', '/settings/free/number/min'],
      ['setting_narrowed', '/settings/free/number/step'],
    ],
  ],
  [
    'a choice removed',
    (c) => Object.assign(c.settings.free ?? {}, { zone: select(['eu', 'na']) }),
    [['select_option_removed', '/settings/free/zone/options/5']],
  ],
  [
    'a choice retyped',
    (c) => Object.assign(c.settings.free ?? {}, { zone: select(['eu', '5', 'na']) }),
    [['select_option_retyped', '/settings/free/zone/options/5/value']],
  ],
  [
    'a mandatory setting added',
    (c) =>
      Object.assign(c.settings.free ?? {}, { more: { type: 'text', name: 'M', mandatory: true } }),
    [['mandatory_setting_added', '/settings/free/more']],
  ],
  [
    'an option removed',
    (c) => c.purchaseOptions.pop(),
    [['option_removed', '/purchaseOptions/basic']],
  ],
  [
    'a price changed',
    (c) => Object.assign(c.purchaseOptions[1] ?? {}, { monthlyRate: 4 }),
    [['option_price_changed', '/purchaseOptions/basic/monthlyRate']],
  ],
  [
    'a currency changed',
    (c) => Object.assign(c.purchaseOptions[1] ?? {}, { currency: 'EUR' }),
    [['option_currency_changed', '/purchaseOptions/basic/currency']],
  ],
  [
    'a pricing model changed',
    (c) => Object.assign(c.purchaseOptions[1] ?? {}, { pricingModel: 'FlatAnnual' }),
    [['option_model_changed', '/purchaseOptions/basic/pricingModel']],
  ],
  [
    'a permission added',
    (c) => c.permissions.push({ id: 'products:write', purpose: 'Writes.' }),
    [['permission_added', '/permissions/products:write']],
  ],
  [
    'a permission removed',
    (c) => c.permissions.pop(),
    [['permission_removed', '/permissions/profile:read']],
  ],
  [
    'an acknowledgement added',
    (c) => c.acknowledgements.push({ id: 'b', title: 't', text: 't' }),
    [['acknowledgement_added', '/acknowledgements/b']],
  ],
  [
    'an acknowledgement reworded',
    (c) => Object.assign(c.acknowledgements[0] ?? {}, { text: 'Other' }),
    [['acknowledgement_changed', '/acknowledgements/ack/text']],
  ],
  [
    'a party type removed',
    (c) => {
      c.partyTypes = ['Buyer']
    },
    [
      ['party_type_added', '/partyTypes/Buyer'],
      ['party_type_removed', '/partyTypes/Seller'],
    ],
  ],
]

/** What each rule of DESIGN section 5 calls harmless. */
export const HARMLESS: [string, (copy: Draft) => void, string][] = [
  [
    'texts',
    (c) => {
      c.description = 'Other'
      c.name += ' 2'
    },
    'listing_changed',
  ],
  [
    'placeholders',
    (c) => Object.assign(c.settings.free?.text ?? {}, { placeholder: 'q' }),
    'setting_presentation_changed',
  ],
  [
    'order',
    (c) => Object.assign(c.settings.free?.text ?? {}, { order: 9 }),
    'setting_presentation_changed',
  ],
  [
    'a new optional setting',
    (c) => Object.assign(c.settings.free ?? {}, { more: { type: 'boolean', name: 'B' } }),
    'setting_added',
  ],
  ['a new purchase option', (c) => c.purchaseOptions.push(flat('pro', 9)), 'option_added'],
  ['release notes', (c) => Object.assign(c, { releaseNotes: '* Other' }), 'release_notes_changed'],
  ['listing data', (c) => Object.assign(c, { websiteUrl: 'https://x.example' }), 'listing_changed'],
  [
    'the return URL',
    (c) => Object.assign(c, { authReturnUrl: 'https://x.example' }),
    'auth_return_url_changed',
  ],
  ['codes only', (c) => Object.assign(c, { tokenDelivery: 'code' }), 'redirect_changed'],
  ['errors told', (c) => Object.assign(c, { redirectErrors: 'return' }), 'redirect_changed'],
  [
    'a purpose',
    (c) => Object.assign(c.permissions[0] ?? {}, { purpose: 'Other' }),
    'permission_purpose_changed',
  ],
  [
    'a widened number',
    (c) => Object.assign(c.settings.free?.number ?? {}, { max: 11 }),
    'setting_widened',
  ],
  [
    'a further choice',
    (c) => Object.assign(c.settings.free ?? {}, { zone: select(['eu', 5, 'na', 'x']) }),
    'select_option_added',
  ],
  [
    'choices in another order',
    (c) => Object.assign(c.settings.free ?? {}, { zone: select(['na', 'eu', 5]) }),
    'select_options_reordered',
  ],
  [
    'an acknowledgement removed',
    (c) => {
      c.acknowledgements = []
    },
    'acknowledgement_removed',
  ],
]
