import { type InstallationData, installationData } from './data/data.ts'
import { nextParameter, type Paged, paged } from './data/paged.ts'
import { hasCode, InstallationGoneError } from './errors.ts'
import { type EventOptions, readEvents } from './events.ts'
import type { Client } from './generated/client/index.ts'
import {
  createDeveloperToken,
  createInstallationToken,
  listInstallations,
} from './generated/sdk.gen.ts'
import type { Event, Installation, ListInstallationsData } from './generated/types.gen.ts'
import { createTokenCache } from './tokens/token-cache.ts'
import { connect, type Surroundings } from './transport/connection.ts'

const DEVELOPER = 'developer'
const INSTALLATIONS_MAX = 1000

/** The marketplace, and the credential to sign in with. Keep the password on your servers. */
export type MarketplaceOptions = Surroundings & {
  baseUrl: string
  clientId: string
  password: string
  /** How many installations' tokens are kept at most. Default: 1000. */
  maxInstallations?: number
  /** Milliseconds since any fixed moment. Default: the system clock. */
  now?: () => number
}

export type InstallationQuery = NonNullable<ListInstallationsData['query']>

/** The calls of a developer. Tokens are made, kept and renewed automatically. */
export type Marketplace = {
  baseUrl: string
  /** For generated calls with the developer token, such as `readInstallation({ client, ... })`. */
  client: Client
  installations(query?: InstallationQuery): Paged<Installation>
  /**
   * The calls of one installation.
   *
   * They throw InstallationGoneError when it was uninstalled, and a MarketplaceError
   * `installation_suspended` as long as it is suspended.
   */
  installation(installationId: string): InstallationData
  /**
   * A token of one installation for your own front end, with at least a fifth of its lifetime left.
   */
  token(installationId: string): Promise<string>
  /** The event log: `for await (const event of marketplace.events({ consumer: 'erp' }))`. */
  events(options?: EventOptions): AsyncGenerator<Event>
}

/** Opens a marketplace for a developer. Nothing is sent before the first call. */
export function createMarketplace(options: MarketplaceOptions): Marketplace {
  const { baseUrl, clientId, password, maxInstallations = INSTALLATIONS_MAX } = options
  const { now = () => performance.now() } = options
  const anybody = connect(baseUrl, undefined, options)
  const developerTokens = createTokenCache({
    max: 1,
    now,
    mint: async () =>
      (await createDeveloperToken({ client: anybody.client, body: { clientId, password } })).data,
  })
  const developer = connect(baseUrl, developerTokens.source(DEVELOPER), options)
  const { client } = developer
  const installationTokens = createTokenCache({
    max: maxInstallations,
    now,
    isFinal: (error) => error instanceof InstallationGoneError,
    mint: async (installationId) => {
      try {
        return (await createInstallationToken({ client, body: { installationId } })).data
      } catch (error) {
        if (!hasCode(error, 'installation_not_accessible')) throw error
        throw new InstallationGoneError(installationId, error)
      }
    },
  })

  return {
    baseUrl: developer.baseUrl,
    client,
    installations: ({ cursor: start, ...query } = {}) =>
      paged(async (cursor) => {
        const { data, response } = await listInstallations({
          client,
          query: { ...query, ...(cursor !== undefined && { cursor }) },
        })
        return { items: data, cursor: nextParameter(response, 'cursor') }
      }, start),
    installation: (installationId) =>
      installationData(connect(baseUrl, installationTokens.source(installationId), options)),
    token: (installationId) => installationTokens.source(installationId).get(),
    events: (eventOptions = {}) => readEvents(developer, eventOptions),
  }
}
