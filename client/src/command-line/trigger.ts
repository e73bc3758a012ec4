import {
  installAppInSandbox,
  listInstallations,
  listWebhooks,
  resumeInstallation,
  suspendInstallation,
  testWebhook,
  uninstallAppAsDeveloper,
} from '../generated/sdk.gen.ts'
import type { Event, Installation } from '../generated/types.gen.ts'
import type { Marketplace } from '../marketplace.ts'
import { requireOwnApp } from './own-app.ts'
import { UsageError } from './usage-error.ts'

type Client = Marketplace['client']
type Doing = (client: Client, appId: string) => Promise<unknown>

/** Event type -> how a developer makes such an event happen in the sandbox. */
const TRIGGERS: Partial<Record<Event['type'], Doing>> = {
  'installation.created': (client, appId) =>
    installAppInSandbox({ client, path: { appId }, body: {} }),
  'installation.suspended': async (client, appId) =>
    suspendInstallation({
      client,
      path: await inSandbox(client, appId),
      body: { reason: 'Triggered from the command line.' },
    }),
  'installation.resumed': async (client, appId) =>
    resumeInstallation({ client, path: await inSandbox(client, appId) }),
  'installation.deleted': async (client, appId) =>
    uninstallAppAsDeveloper({ client, path: await inSandbox(client, appId) }),
  'webhook.test': async (client, appId) => {
    const { data: endpoints } = await listWebhooks({ client, path: { appId } })
    const [first] = endpoints
    if (first === undefined) throw new UsageError('The app has no webhook endpoint.')
    return testWebhook({ client, path: { appId, endpointId: first.id } })
  },
}

export const TRIGGERED_TYPES = Object.keys(TRIGGERS)

/**
 * Makes an event happen in the developer's sandbox.
 *
 * @throws UsageError for event types that only an account or an operator can cause
 */
export async function trigger(client: Client, type: string, appId: string): Promise<string> {
  const doing = TRIGGERS[type as Event['type']]
  if (doing === undefined) {
    throw new UsageError(`Only these can be triggered: ${TRIGGERED_TYPES.join(', ')}.`)
  }
  await requireOwnApp(client, appId)
  await doing(client, appId)
  return `${type} was triggered for ${appId}.`
}

async function inSandbox(client: Client, appId: string): Promise<{ installationId: string }> {
  const query = { appId, partyType: 'None' } as const
  const { data } = await listInstallations({ client, query })
  const [installation]: Installation[] = data.filter(({ status }) => status !== 'uninstalled')
  if (installation === undefined) {
    throw new UsageError(`${appId} is not installed in your sandbox. Run: sandbox ${appId}`)
  }
  return { installationId: installation.id }
}
