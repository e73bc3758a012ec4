import { type InstallationData, installationData } from './data/data.ts'
import { connect, type Surroundings } from './transport/connection.ts'

export type { InstallationData, ProductQuery } from './data/data.ts'
export type { ImportRequest } from './data/import.ts'
export type { Page, Paged } from './data/paged.ts'
export { hasCode, MarketplaceError, type MarketplaceErrorCode } from './errors.ts'
export type * from './generated/types.gen.ts'

/**
 * Opens the calls of one installation for a program without a developer credential, such as the
 * front end of an app.
 *
 * @param token asks your own server for an installation token. It is called when there is none, and
 *   once more when the marketplace refuses the current one
 */
export function openInstallation(
  options: { baseUrl: string; token: () => Promise<string> } & Surroundings,
): InstallationData {
  const { baseUrl, token } = options
  let kept: Promise<string> | undefined
  const ask = () => {
    const asked = token()
    asked.catch(() => {
      if (kept === asked) kept = undefined
    })
    return asked
  }
  let last: string | undefined
  const tokens = {
    async get() {
      kept ??= ask()
      last = await kept
      return last
    },
    refused(refused: string) {
      if (refused !== last) return
      // Of several requests that it refuses, the first asks for another token.
      kept = undefined
      last = undefined
    },
  }
  return installationData(connect(baseUrl, tokens, options))
}
