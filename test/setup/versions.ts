import type { SharedMarketplace } from './app.ts'
import { author, flat } from './apps.ts'
import {
  acceptAll,
  developerCalls,
  EVERY_SETTING,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from './customer.ts'

export const OLD_WORDS = { id: 'old', title: 'Old', text: 'As it was.', order: 1 }
export const NEW_WORDS = { id: 'new', title: 'New', text: 'As it will be.', order: 2 }

/** An app in version 1.0.0, installed by a new account, and how to publish later versions. */
export async function installedVersionOne(market: SharedMarketplace) {
  const developer = await author(market)
  const seller = await newCustomer(market)
  const app = await listedApp(developer, fullDraft({ acknowledgements: [OLD_WORDS] }))
  const { status, body, text } = await seller.install({
    appId: app.id,
    purchaseOptionId: 'full',
    userSettings: { ...GOOD_SETTINGS, amount: 0.5, note: 'a note' },
    ...(await acceptAll(market, app.id)),
  })
  if (status !== 201) throw new Error(text)
  const id: string = body.id
  const calls = developerCalls(market, developer.token)
  await calls.patch(id, { adminText: 'routing' })

  const publish = async (version: string, changes: Record<string, unknown> = {}) => {
    const answer = await developer.put({ ...app, version, ...changes } as typeof app)
    if (answer.status !== 200) throw new Error(answer.text)
  }
  return {
    developer,
    seller,
    app,
    id,
    calls,
    publish,
    /** Of what was ticked. */
    evidence: () =>
      market.deps.db.acceptance.findMany({
        where: { installationId: id, kind: { not: 'permission' } },
        orderBy: { id: 'asc' },
      }),
    /** A permission more and one less; settings gone, new and narrowed; new words and terms. */
    async publishTwo() {
      const { note: _note, ...rest } = EVERY_SETTING
      await publish('2', {
        permissions: [
          { id: 'products:read', purpose: 'Reads your products.' },
          { id: 'profile:read', purpose: 'Greets you.' },
        ],
        purchaseOptions: [flat('full', 12, { order: 1 }), flat('other', 1, { order: 2 })],
        settings: {
          full: {
            ...rest,
            amount: { ...EVERY_SETTING.amount, max: 0.4 },
            extra: { type: 'text', name: 'Extra', mandatory: true },
          },
        },
        acknowledgements: [OLD_WORDS, NEW_WORDS],
      })
      const terms = await developer.putTerms(app.id, '# Terms of version 2')
      if (terms.status !== 200) throw new Error(terms.text)
    },
    /** All that the upgrade to it takes. */
    async consentToTwo() {
      const { body: preview } = await seller.previewUpgrade(id)
      return {
        version: '2',
        userSettings: { extra: 'more', amount: 0.4 },
        acknowledgements: preview.acknowledgements.map((one: { id: string; sha256: string }) => ({
          id: one.id,
          sha256: one.sha256,
        })),
        termsDocument: { sha256: preview.termsDocument.sha256 },
      }
    },
  }
}
export type InstalledVersionOne = Awaited<ReturnType<typeof installedVersionOne>>
