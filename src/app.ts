import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { serializerCompiler } from '@fastify/type-provider-zod'
import Fastify from 'fastify'
import { operatorDeveloperRoutes } from './accounts/operator-developer-routes.ts'
import { operatorPartyRoutes } from './accounts/operator-party-routes.ts'
import { operatorUserRoutes } from './accounts/operator-user-routes.ts'
import { ownAccountRoutes } from './accounts/own-account-routes.ts'
import { profileRoutes } from './accounts/profile-routes.ts'
import { suspensionRoutes } from './accounts/suspension-routes.ts'
import { catalogueRoutes } from './apps/catalogue-routes.ts'
import { developerAppRoutes } from './apps/developer-routes.ts'
import { operatorAppRoutes } from './apps/operator-routes.ts'
import { developerTermsRoutes, publicTermsRoutes } from './apps/terms-routes.ts'
import { accountAuditRoutes, developerAuditRoutes, operatorAuditRoutes } from './audit/routes.ts'
import { authRoutes } from './auth/routes.ts'
import type { Deps } from './deps.ts'
import { docsRoutes } from './docs/routes.ts'
import type { App } from './http/app-type.ts'
import { type Audience, declareAudience } from './http/audience.ts'
import { handleErrors } from './http/error-handler.ts'
import { healthRoutes } from './http/health-routes.ts'
import { acceptJsonBodies } from './http/json-body.ts'
import { observeRequests } from './http/observability.ts'
import { documentRoutes } from './http/openapi.ts'
import { acceptForms } from './http/pages.ts'
import { countRequests } from './http/rate-limit.ts'
import { collectRoutes } from './http/route-table.ts'
import { protectBrowsers } from './http/security.ts'
import { serverOptions } from './http/server-options.ts'
import { validatorCompiler } from './http/validation.ts'
import { admitOperators, recogniseVisitors, visitorOfFailure } from './http/visitor.ts'
import { accountChangeRoutes } from './installations/account-change-routes.ts'
import { accountInstallationRoutes } from './installations/account-routes.ts'
import { ownInstallationRoutes } from './installations/app-routes.ts'
import { developerInstallationRoutes } from './installations/developer-routes.ts'
import { operatorInstallationRoutes } from './installations/operator-routes.ts'
import { installationTokenRoutes } from './installations/token-routes.ts'
import { operatorCreateRoutes } from './operator/create-routes.ts'
import { operatorDeveloperPages } from './operator/developer-routes.ts'
import { operatorListRoutes } from './operator/list-routes.ts'
import { operatorPartyPages } from './operator/party-routes.ts'
import { operatorSuspensionPages } from './operator/suspension-routes.ts'
import { operatorUserPages } from './operator/user-routes.ts'
import { productChangeRoutes } from './products/change-routes.ts'
import { productImportRoutes } from './products/import-routes.ts'
import { productRoutes } from './products/routes.ts'
import { productWriteRoutes } from './products/write-routes.ts'
import { developerTokenRoutes } from './tokens/developer-routes.ts'
import { keyRoutes } from './tokens/routes.ts'
import { accountChoiceRoutes } from './web/account-choice-routes.ts'
import { readAccountChoice } from './web/account-choice-service.ts'
import { accountPageRoutes } from './web/account-routes.ts'
import { credentialsRoutes } from './web/credentials-routes.ts'
import { definitionRoutes } from './web/definition-routes.ts'
import { developerSessions } from './web/developer-session-service.ts'
import { developerSignInRoutes } from './web/developer-sign-in-routes.ts'
import { errorPage, errorWords } from './web/error-page.ts'
import { homeRoutes } from './web/home-routes.ts'
import { installRoutes } from './web/install-routes.ts'
import { installedChangeRoutes } from './web/installed-change-routes.ts'
import { installedRoutes } from './web/installed-routes.ts'
import { ownAppPartsRoutes } from './web/own-app-parts-routes.ts'
import { ownAppRoutes } from './web/own-app-routes.ts'
import { ownInstallationPageRoutes } from './web/own-installation-routes.ts'
import { redirectRoutes } from './web/redirect-routes.ts'
import { readSession } from './web/session-service.ts'
import { signInRoutes } from './web/sign-in-routes.ts'
import { storeRoutes } from './web/store-routes.ts'

const ASSETS = fileURLToPath(new URL('./web/assets', import.meta.url))

export type AppOptions = {
  deps: Deps
  version: string
  /** Why the server cannot answer just now, or undefined; asked by `/readyz`. */
  readiness: () => Promise<string | undefined>
}

/**
 * The whole application: plumbing first, then the features, each in the scope of those who may
 * call it. Neither listens nor reads the environment.
 */
export async function buildApp({ deps, version, readiness }: AppOptions): Promise<App> {
  const app: App = Fastify(serverOptions(deps))
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorate('deps', deps)
  app.decorateRequest('principal', null)
  app.decorateRequest('unusedToken', null)

  const routes = collectRoutes(app)
  app.decorate('routes', routes)
  acceptJsonBodies(app)
  observeRequests(app)
  const assetVersion = hashOfAssets()
  const { visitorOfCookie, memberOfCookie, developerOfCookie } = visitorReaders(deps)
  handleErrors(app, routes, async (error, request) => {
    const ofDevelopers = /^\/developer(?![^/?])/i.test(request.url)
    return errorPage({
      ...errorWords(error, request.url),
      status: error.status,
      requestId: request.id,
      user: ofDevelopers
        ? await visitorOfFailure(error, request, 'developer', developerOfCookie)
        : await visitorOfFailure(error, request, 'user', visitorOfCookie),
      assetVersion,
      area: ofDevelopers ? 'developers' : 'marketplace',
    })
  })
  await protectBrowsers(app, routes)
  await countRequests(app)
  await documentRoutes(app, version)

  await scope(app, 'public', async (publicApp) => {
    await publicApp.register(authRoutes)
    await publicApp.register(catalogueRoutes)
    await publicApp.register(publicTermsRoutes)
    await publicApp.register(keyRoutes)
    await publicApp.register(healthRoutes, { readiness })
    await publicApp.register(docsRoutes, { assetVersion })
    await publicApp.register(async (assets) => assetRoutes(assets as App, assetVersion))
  })
  await scope(app, 'developer', async (developerApp) => {
    await developerApp.register(developerInstallationRoutes)
    await developerApp.register(installationTokenRoutes)
    await developerApp.register(developerTokenRoutes)
    await developerApp.register(developerAppRoutes)
    await developerApp.register(developerTermsRoutes)
    await developerApp.register(developerAuditRoutes)
  })
  await scope(app, 'account', async (accountApp) => {
    await accountApp.register(ownAccountRoutes)
    await accountApp.register(accountInstallationRoutes)
    await accountApp.register(accountChangeRoutes)
    await accountApp.register(accountAuditRoutes)
  })
  await scope(app, 'operator', async (operatorApp) => {
    await operatorApp.register(operatorDeveloperRoutes)
    await operatorApp.register(operatorPartyRoutes)
    await operatorApp.register(operatorUserRoutes)
    await operatorApp.register(operatorAppRoutes)
    await operatorApp.register(operatorInstallationRoutes)
    await operatorApp.register(suspensionRoutes)
    await operatorApp.register(operatorAuditRoutes)
  })
  await scope(app, 'installation', async (installationApp) => {
    await installationApp.register(productRoutes)
    await installationApp.register(productChangeRoutes)
    await installationApp.register(productWriteRoutes)
    await installationApp.register(productImportRoutes)
    await installationApp.register(profileRoutes)
    await installationApp.register(ownInstallationRoutes)
  })
  await scope(app, 'browser', async (browserApp) => {
    await acceptForms(browserApp)
    await browserApp.register(signInRoutes, { assetVersion })
    await browserApp.register(redirectRoutes, { assetVersion })
    await browserApp.register(async (visitorApp) => {
      recogniseVisitors(visitorApp as App, memberOfCookie, { required: false })
      await visitorApp.register(homeRoutes, { assetVersion })
      await visitorApp.register(storeRoutes, { assetVersion })
    })
    await browserApp.register(async (visitorApp) => {
      recogniseVisitors(visitorApp as App, memberOfCookie, { required: true })
      await visitorApp.register(installRoutes, { assetVersion })
      await visitorApp.register(installedRoutes, { assetVersion })
      await visitorApp.register(installedChangeRoutes, { assetVersion })
      await visitorApp.register(accountPageRoutes, { assetVersion })
      await visitorApp.register(accountChoiceRoutes, { assetVersion })
    })
    await browserApp.register(async (operatorApp) => {
      recogniseVisitors(operatorApp as App, visitorOfCookie, { required: true })
      admitOperators(operatorApp as App)
      await operatorApp.register(operatorListRoutes, { assetVersion })
      await operatorApp.register(operatorCreateRoutes, { assetVersion })
      await operatorApp.register(operatorPartyPages, { assetVersion })
      await operatorApp.register(operatorUserPages, { assetVersion })
      await operatorApp.register(operatorDeveloperPages, { assetVersion })
      await operatorApp.register(operatorSuspensionPages, { assetVersion })
    })
  })
  await scope(app, 'browser', async (consoleApp) => {
    await acceptForms(consoleApp, 'developer')
    await consoleApp.register(developerSignInRoutes, { assetVersion })
    await consoleApp.register(async (developerApp) => {
      const signInPath = '/Developer/Login'
      recogniseVisitors(developerApp as App, developerOfCookie, { required: true, signInPath })
      await developerApp.register(ownAppRoutes, { assetVersion })
      await developerApp.register(definitionRoutes, { assetVersion })
      await developerApp.register(ownAppPartsRoutes, { assetVersion })
      await developerApp.register(ownInstallationPageRoutes, { assetVersion })
      await developerApp.register(credentialsRoutes, { assetVersion })
    })
  })
  return app
}

/** Who is signed in with the cookie of a session, for each kind of session. */
function visitorReaders(deps: Deps) {
  return {
    visitorOfCookie: async (cookie: string | undefined) => (await readSession(deps, cookie))?.user,
    /** A user with the account that was chosen. */
    async memberOfCookie(cookie: string | undefined) {
      const session = await readSession(deps, cookie)
      return session && { ...session.user, accounts: await readAccountChoice(deps, session) }
    },
    async developerOfCookie(cookie: string | undefined) {
      const session = await developerSessions.read(deps, cookie)
      if (session === undefined) return undefined
      const { name, principal } = session
      const { developerId: id, clientId: email } = principal
      return { id, name, email, operator: false, principal }
    },
  }
}

/** Stylesheets and icons, kept for ever under the address that names their version. */
async function assetRoutes(app: App, assetVersion: string): Promise<void> {
  // Of another version there may be other bytes, as on another replica while a release rolls out.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { v } = request.query as { v?: unknown }
    if (v !== assetVersion && reply.statusCode < 400) {
      reply.header('cache-control', 'public, max-age=0')
    }
    done(null, payload)
  })
  await app.register(fastifyStatic, {
    root: ASSETS,
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    index: false,
  })
}

async function scope(app: App, audience: Audience, features: (app: App) => Promise<void>) {
  await app.register(async (scoped) => {
    declareAudience(scoped as App, audience)
    await features(scoped as App)
  })
}

/** Changes whenever an asset does, so that browsers may keep them for ever. */
function hashOfAssets(): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(ASSETS).sort()) hash.update(readFileSync(`${ASSETS}/${name}`))
  return hash.digest('hex').slice(0, 12)
}
