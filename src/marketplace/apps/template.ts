/**
 * The definition that an editor for a new app begins with. It can be created as it is; its texts and
 * addresses are there to be replaced before the app is listed.
 */
export const TEMPLATE = {
  id: 'my-app',
  name: 'My App',
  description: 'What the app does for the accounts that install it.',
  partyTypes: ['Seller'],
  version: '1.0.0',
  permissions: [{ id: 'products:read', purpose: 'Why the app reads the products.' }],
  purchaseOptions: [
    {
      id: 'basic',
      name: 'Basic',
      pricingModel: 'FlatMonthly',
      currency: 'USD',
      monthlyRate: 0,
      order: 1,
    },
  ],
  settings: {
    basic: {
      region: { type: 'text', name: 'Region', mandatory: true, order: 1 },
      routing: { type: 'text', name: 'Routing key', scope: 'admin', order: 2 },
    },
  },
  acknowledgements: [],
  authReturnUrl: 'https://my-app.example/auth/return',
  websiteUrl: 'https://my-app.example',
  supportUrl: 'https://my-app.example/help',
}
