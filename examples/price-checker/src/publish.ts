import { readFileSync } from 'node:fs'
import { type AppDefinition, hasCode, type Marketplace } from '@app-marketplace/client'
import { createApp, installAppInSandbox, readOwnApp } from '@app-marketplace/client/api'

const DEFINITION = new URL('../app.json', import.meta.url)

/**
 * Publishes the app in your own sandbox and installs it there, if that was not done before.
 *
 * @returns the id of the app
 */
export async function publishOnce({ client }: Marketplace, origin: string): Promise<string> {
  const text = readFileSync(DEFINITION, 'utf8').replace('http://127.0.0.1:4000', origin)
  const definition = JSON.parse(text) as AppDefinition
  const path = { appId: String(definition.id) }
  try {
    await readOwnApp({ client, path })
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error
    await createApp({ client, body: definition })
    await installAppInSandbox({ client, path, body: { userSettings: { limit: 100 } } })
  }
  return path.appId
}
