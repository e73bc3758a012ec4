export { hasCode, MarketplaceError, type MarketplaceErrorCode } from './errors.ts'
export type * from './generated/types.gen.ts'
export { createInbox, type Inbox, type InboxOptions } from './webhooks/inbox.ts'
export { verifyWebhook as verify, type WebhookHeaders } from './webhooks/verify.ts'
