import {
  hideApp,
  installAppInSandbox,
  listInstallations,
  listWebhooks,
  resumeInstallation,
  showApp,
  suspendInstallation,
  testWebhook,
  uninstallAppAsDeveloper,
} from '../generated/sdk.gen.ts'
import type { App, Event, Installation } from '../generated/types.gen.ts'
import type { Marketplace } from '../marketplace.ts'
import { changeAndBack } from './change-and-back.ts'
import { changeSettingAndBack } from './change-setting.ts'
import { requireOwnApp } from './own-app.ts'
import { UsageError } from './usage-error.ts'

type Client = Marketplace['client']
/** Makes an event happen; a text that comes of it is printed. */
type Doing = (client: Client, app: App) => Promise<unknown>

/** Event type -> how a developer makes such an event happen in the sandbox. */
const TRIGGERS: Partial<Record<Event['type'], Doing>> = {
  'installation.created': (client, { id: appId }) =>
    installAppInSandbox({ client, path: { appId }, body: {} }),
  'installation.settings_changed': async (client, app) => {
    const key = await changeSettingAndBack(client, app, await inSandbox(client, app))
    return `The admin setting "${key}" was changed and put back, each with an event.`
  },
  'installation.suspended': async (client, app) => {
    const { id: installationId, status } = await inSandbox(client, app)
    if (status === 'suspended') {
      throw new UsageError(
        `${app.id} is suspended in your sandbox already. ` +
          `Resume it first: trigger installation.resumed --app ${app.id}`,
      )
    }
    const body = { reason: 'Triggered from the command line.' }
    return suspendInstallation({ client, path: { installationId }, body })
  },
  'installation.resumed': async (client, app) => {
    const { id: installationId, status } = await inSandbox(client, app)
    if (status === 'active') {
      throw new UsageError(
        `${app.id} is not suspended in your sandbox. ` +
          `Suspend it first: trigger installation.suspended --app ${app.id}`,
      )
    }
    return resumeInstallation({ client, path: { installationId } })
  },
  'installation.deleted': async (client, app) => {
    const { id: installationId } = await inSandbox(client, app)
    return uninstallAppAsDeveloper({ client, path: { installationId } })
  },
  'app.listed': unlistForAMoment,
  'app.unlisted': unlistForAMoment,
  'webhook.test': async (client, { id: appId }) => {
    const { data: endpoints } = await listWebhooks({ client, path: { appId } })
    const [first] = endpoints
    if (first === undefined) throw new UsageError('The app has no webhook endpoint.')
    return testWebhook({ client, path: { appId, endpointId: first.id } })
  },
}

export const TRIGGERED_TYPES = Object.keys(TRIGGERS)

/**
 * Makes an event happen in the developer's sandbox, or to a listed app.
 *
 * @returns what happened
 * @throws UsageError for event types that only an account or an operator can cause, and when nothing
 *   would happen
 */
export async function trigger(client: Client, type: string, appId: string): Promise<string> {
  const doing = Object.hasOwn(TRIGGERS, type) ? TRIGGERS[type as Event['type']] : undefined
  if (doing === undefined) {
    throw new UsageError(
      `Only these can be triggered: ${TRIGGERED_TYPES.join(', ')}. ` +
        'Others need an account, the operator or a receiver that fails.',
    )
  }
  const more = await doing(client, await requireOwnApp(client, appId))
  const done = `${type} was triggered for ${appId}.`
  return typeof more === 'string' ? `${done} ${more}` : done
}

/** Takes a listed app out of the catalogue and lists it again. No unlisted app becomes public. */
async function unlistForAMoment(client: Client, { id: appId, listed }: App): Promise<string> {
  if (!listed) {
    throw new UsageError(
      `${appId} is not listed, and trigger does not show it to accounts. ` +
        'app.listed happens when you list it in the console.',
    )
  }
  await changeAndBack(
    () => hideApp({ client, path: { appId } }),
    () => showApp({ client, path: { appId } }),
    `${appId} is no longer listed`,
  )
  return 'It was out of the catalogue for a moment: app.unlisted, then app.listed.'
}

async function inSandbox(client: Client, { id: appId }: App): Promise<Installation> {
  const query = { appId, partyType: 'None' } as const
  const { data } = await listInstallations({ client, query })
  const [installation]: Installation[] = data.filter(({ status }) => status !== 'uninstalled')
  if (installation === undefined) {
    throw new UsageError(`${appId} is not installed in your sandbox. Run: sandbox ${appId}`)
  }
  return installation
}
