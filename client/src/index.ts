export type { InstallationData, ProductQuery, QueriedProduct } from './data/data.ts'
export type { ImportRequest } from './data/import.ts'
export type { Page, Paged } from './data/paged.ts'
export {
  type ClientErrorCode,
  hasCode,
  InstallationGoneError,
  MarketplaceError,
  type MarketplaceErrorCode,
} from './errors.ts'
export type { EventOptions } from './events.ts'
export type * from './generated/types.gen.ts'
export {
  createMarketplace,
  type InstallationQuery,
  type Marketplace,
  type MarketplaceOptions,
} from './marketplace.ts'
export { fastifyHandler } from './redirect/fastify.ts'
export {
  type Opened,
  type RedirectHandler,
  type RedirectOptions,
  redirectHandler,
} from './redirect/redirect.ts'
export { type RedirectApp, type Start, startAddress } from './redirect/start-address.ts'
// The guides take these two, with the name `verify`, from the entry `webhooks`.
export { createInbox, type Inbox, type InboxOptions } from './webhooks/inbox.ts'
export { verifyWebhook, type WebhookHeaders } from './webhooks/verify.ts'
