import { FACTOR_AIMS } from './fuzz-factor.ts'
import { INSTALL_REQUEST_AIMS } from './fuzz-install-requests.ts'
import { OTHER_AIMS } from './fuzz-oauth.ts'
import { OWN_AIMS } from './fuzz-own.ts'
import { PEOPLE_AIMS } from './fuzz-people.ts'
import { PICTURE_AIMS } from './fuzz-pictures.ts'
import { TERMS_AIMS } from './fuzz-terms.ts'

/** A request that is to succeed: the pools that its values come from. */
export type Aim = {
  path?: Record<string, string>
  query?: Record<string, string>
  body?: string
  type?: string
  newVersion?: boolean
  /** Of somebody else than most requests carry. */
  token?: string
}

export const AIMS: Readonly<Record<string, Aim>> = {
  createApp: { body: 'new.definitions' },
  replaceApp: { path: { appId: 'own.apps' }, body: 'own.definitions' },
  replaceTermsDocument: {
    path: { appId: 'own.apps' },
    body: 'terms',
    type: 'text/markdown',
    newVersion: true,
  },
  installApp: { body: 'install.bodies' },
  createDeveloperToken: { body: 'signIn.developers' },
  createAccountToken: { body: 'signIn.users' },
  deleteConnection: { path: { buyerId: 'connected.buyers', sellerId: 'connected.sellers' } },
  deleteMembership: { path: { userId: 'member.users', partyId: 'member.parties' } },
  deleteCredential: { path: { id: 'credential.owners', credentialId: 'credential.ids' } },
  readProduct: { path: { id: 'visible.products' } },
  upsertProduct: { body: 'product.bodies' },
  upsertProducts: { body: 'product.batches' },
  changeProduct: { path: { id: 'visible.products' }, body: 'product.patches' },
  deleteProduct: { path: { id: 'spare.products' } },
  importProducts: { body: 'product.files', type: 'text/csv' },
  readImport: { path: { importId: 'own.imports' } },
  deleteApp: { path: { appId: 'unused.apps' } },
  changeAdminSettings: { path: { installationId: 'own.installations' }, body: 'patch.bodies' },
  changePurchaseOption: { path: { installationId: 'own.installations' }, body: 'option.bodies' },
  ...OTHER_AIMS,
  ...OWN_AIMS,
  ...FACTOR_AIMS,
  ...INSTALL_REQUEST_AIMS,
  ...PEOPLE_AIMS,
  ...PICTURE_AIMS,
  replaceEventConsumer: { path: { name: 'own.consumers' }, body: 'consumer.positions' },
  deleteEventConsumer: { path: { name: 'own.consumers' } },
  ...TERMS_AIMS,
  upgradeInstallation: { path: { installationId: 'upgrade.ids' }, body: 'upgrade.bodies' },
}
