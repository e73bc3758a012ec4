import type { Deps } from './deps.ts'
import type { App } from './http/app-type.ts'
import { acceptForms } from './http/pages.ts'
import { admitOperators, recogniseVisitors, type Visitor } from './http/visitor.ts'
import { operatorCreateRoutes } from './operator/create-routes.ts'
import { operatorListRoutes } from './operator/list-routes.ts'
import { operatorRecordPages } from './operator/record-routes.ts'
import { operatorSuspensionPages } from './operator/suspension-routes.ts'
import { accountPageRoutes } from './web/account-routes.ts'
import { credentialsRoutes } from './web/credentials-routes.ts'
import { definitionRoutes } from './web/definition-routes.ts'
import { developerSessions } from './web/developer-session-service.ts'
import { developerSignInRoutes } from './web/developer-sign-in-routes.ts'
import { installRoutes } from './web/install-routes.ts'
import { installedChangeRoutes } from './web/installed-change-routes.ts'
import { installedRoutes } from './web/installed-routes.ts'
import { ownAppPartsRoutes } from './web/own-app-parts-routes.ts'
import { ownAppRoutes } from './web/own-app-routes.ts'
import { ownInstallationPageRoutes } from './web/own-installation-routes.ts'
import { redirectRoutes } from './web/redirect-routes.ts'
import { webRoutes } from './web/routes.ts'
import { readSession } from './web/session-service.ts'
import { storeRoutes } from './web/store-routes.ts'

type PageOptions = { assetVersion: string }
type Pages = (app: App, options: PageOptions) => Promise<void>

/** The pages for users: the marketplace, and the operator console. */
export async function userPages(app: App, options: PageOptions): Promise<void> {
  const { deps } = app
  const visitorOfCookie = async (cookie: string | undefined) =>
    (await readSession(deps, cookie))?.user
  await acceptForms(app)
  await registerAll(app, [webRoutes, redirectRoutes], options)
  await app.register(async (visitorApp) => {
    recogniseVisitors(visitorApp as App, visitorOfCookie, { required: false })
    await registerAll(visitorApp as App, [storeRoutes], options)
  })
  await app.register(async (visitorApp) => {
    recogniseVisitors(visitorApp as App, visitorOfCookie, { required: true })
    const pages = [installRoutes, installedRoutes, installedChangeRoutes, accountPageRoutes]
    await registerAll(visitorApp as App, pages, options)
  })
  await app.register(async (operatorApp) => {
    recogniseVisitors(operatorApp as App, visitorOfCookie, { required: true })
    admitOperators(operatorApp as App)
    const records = [operatorCreateRoutes, operatorRecordPages, operatorSuspensionPages]
    const pages = [operatorListRoutes, ...records]
    await registerAll(operatorApp as App, pages, options)
  })
}

/** The developer console. */
export async function developerPages(app: App, options: PageOptions): Promise<void> {
  const { deps } = app
  await acceptForms(app, 'developer')
  await registerAll(app, [developerSignInRoutes], options)
  await app.register(async (developerApp) => {
    const signInPath = '/Developer/Login'
    const read = (cookie: string | undefined) => developerOfCookie(deps, cookie)
    recogniseVisitors(developerApp as App, read, { required: true, signInPath })
    const apps = [ownAppRoutes, definitionRoutes, ownAppPartsRoutes]
    const pages = [...apps, ownInstallationPageRoutes, credentialsRoutes]
    await registerAll(developerApp as App, pages, options)
  })
}

async function developerOfCookie(
  deps: Deps,
  cookie: string | undefined,
): Promise<Visitor | undefined> {
  const session = await developerSessions.read(deps, cookie)
  if (session === undefined) return undefined
  const { name, principal } = session
  return {
    id: principal.developerId,
    name,
    email: principal.clientId,
    operator: false,
    principal,
  }
}

/** Each in a scope of its own. */
async function registerAll(app: App, pages: readonly Pages[], options: PageOptions): Promise<void> {
  for (const page of pages) await app.register(async (inner) => page(inner as App, options))
}
