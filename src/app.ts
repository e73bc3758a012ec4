import Fastify from 'fastify'
import type { Deps } from './deps.ts'
import { refuseUnanswerable } from './http/ambiguous-requests.ts'
import type { App } from './http/app-type.ts'
import { beginRequests } from './http/begin-requests.ts'
import { acceptJsonBodies } from './http/bodies/json-body.ts'
import { writeLongAnswersInTicks } from './http/bodies/long-answers.ts'
import { answerNotModifiedToHead } from './http/bodies/not-modified.ts'
import { takeBodies } from './http/bodies/take-bodies.ts'
import { compressAnswers, createCodedAnswers } from './http/compression.ts'
import { handleErrors } from './http/error-handler.ts'
import { limitCallers } from './http/fair-share/limit-callers.ts'
import { shedOverload } from './http/fair-share/overload.ts'
import { limitRest } from './http/fair-share/rest-of-body.ts'
import { healthRoutes } from './http/health-routes.ts'
import { ignoreUpgrades } from './http/ignored-upgrades.ts'
import { countUsage } from './http/observability/count-usage.ts'
import { observeRequests } from './http/observability/observe-requests.ts'
import { watchRequestEnds } from './http/observability/request-end.ts'
import { traceRequests } from './http/observability/trace-requests.ts'
import { countRequests } from './http/rate-limits/rate-limit.ts'
import { registerScope } from './http/register-scope.ts'
import { type Audience, collectRoutes } from './http/route-table.ts'
import { answerPreflights, browserHeaders } from './http/security.ts'
import { serverOptions } from './http/server-options.ts'
import { refuseUndeclared } from './http/undeclared.ts'
import {
  operatorDeveloperMemberRoutes,
  ownDeveloperMemberRoutes,
} from './identity/accounts/members/developer-member-routes.ts'
import { partyMemberRoutes } from './identity/accounts/members/party-member-routes.ts'
import { operatorDeveloperRoutes } from './identity/accounts/operator-developer-routes.ts'
import { operatorPartyRoutes } from './identity/accounts/operator-party-routes.ts'
import { operatorUserRoutes } from './identity/accounts/operator-user-routes.ts'
import { ownDeveloperRoutes } from './identity/accounts/own-developer/own-developer-routes.ts'
import { ownUserRoutes } from './identity/accounts/own-user-routes.ts'
import { profileRoutes } from './identity/accounts/profile-routes.ts'
import {
  accountAuditRoutes,
  developerAuditRoutes,
  operatorAuditRoutes,
} from './identity/audit/audit-routes.ts'
import { authRoutes } from './identity/auth/auth-routes.ts'
import { secondFactorRoutes } from './identity/auth/second-factor/second-factor-routes.ts'
import { sessionRoutes } from './identity/auth/sessions/session-routes.ts'
import { declareAudience } from './identity/guards/audience.ts'
import { verifyBearerTokens } from './identity/guards/bearer-token.ts'
import { notificationRoutes } from './identity/notifications/notification-routes.ts'
import {
  confirmEmailChangeRoutes,
  emailChangeRoutes,
} from './identity/people/email-change-routes.ts'
import {
  acceptInvitationRoutes,
  developerInvitationRoutes,
  operatorInvitationRoutes,
  partyInvitationRoutes,
} from './identity/people/invitation-routes.ts'
import { operatorFactorRoutes } from './identity/people/lost-factors/operator-factor-routes.ts'
import {
  ownDeveloperInvitationRoutes,
  ownPartyInvitationRoutes,
} from './identity/people/own-invitations/own-invitation-routes.ts'
import {
  operatorPasswordResetRoutes,
  passwordResetRoutes,
} from './identity/people/password-reset-routes.ts'
import { publicKeyRoutes } from './identity/tokens/public-key-routes.ts'
import { revocationRoutes } from './identity/tokens/revocation-routes.ts'
import { catalogueRoutes } from './marketplace/apps/catalogue-routes.ts'
import { developerAppRoutes } from './marketplace/apps/developer-app-routes.ts'
import { appListingRoutes } from './marketplace/apps/listing/app-listing-routes.ts'
import { developerPictureRoutes } from './marketplace/apps/media/developer-picture-routes.ts'
import { operatorAppRoutes } from './marketplace/apps/operator-app-routes.ts'
import {
  developerTermsPdfRoutes,
  developerTermsRoutes,
  publicTermsRoutes,
} from './marketplace/apps/terms/terms-routes.ts'
import { appVersionRoutes } from './marketplace/apps/versions/app-version-routes.ts'
import { accountAppRoutes } from './marketplace/apps/visibility/account-app-routes.ts'
import { visibilityRoutes } from './marketplace/apps/visibility/visibility-routes.ts'
import { eventConsumerRoutes } from './marketplace/events/event-consumer-routes.ts'
import { eventRoutes } from './marketplace/events/event-routes.ts'
import { eventTypeRoutes } from './marketplace/events/event-type-routes.ts'
import {
  accountAcceptanceRoutes,
  developerAcceptanceRoutes,
  operatorAcceptanceRoutes,
} from './marketplace/installations/acceptances/acceptance-routes.ts'
import { accountChangeRoutes } from './marketplace/installations/account-change-routes.ts'
import { accountInstallationRoutes } from './marketplace/installations/account-installation-routes.ts'
import { developerInstallationRoutes } from './marketplace/installations/developer-installation-routes.ts'
import { mintTokenRoutes } from './marketplace/installations/mint-token-routes.ts'
import { operatorInstallationRoutes } from './marketplace/installations/operator/operator-installation-routes.ts'
import { ownInstallationRoutes } from './marketplace/installations/own-installation-routes.ts'
import { installRequestRoutes } from './marketplace/installations/requests/install-request-routes.ts'
import { accountTermsRoutes } from './marketplace/installations/terms/account-terms-routes.ts'
import { waitingUpgradeRoutes } from './marketplace/installations/upgrades/waiting-upgrade-routes.ts'
import { reportRoutes } from './marketplace/leaks/report-routes.ts'
import { metadataRoutes } from './marketplace/oauth/metadata-routes.ts'
import { oauthRoutes } from './marketplace/oauth/oauth-routes.ts'
import { productFeedRoutes } from './marketplace/products/feed/feed-routes.ts'
import { productImportRoutes } from './marketplace/products/import/import-routes.ts'
import { productRoutes } from './marketplace/products/product-routes.ts'
import { productWriteRoutes } from './marketplace/products/write-routes.ts'
import { closeRoutes } from './marketplace/suspension/close-routes.ts'
import { operatorSuspensionRoutes } from './marketplace/suspension/operator-suspension-routes.ts'
import {
  accountUsageRoutes,
  developerUsageRoutes,
  operatorUsageRoutes,
} from './marketplace/usage/usage-routes.ts'
import { deliveryRoutes } from './marketplace/webhooks/delivery-log/delivery-routes.ts'
import { endpointActionRoutes } from './marketplace/webhooks/endpoints/endpoint-action-routes.ts'
import { endpointRoutes } from './marketplace/webhooks/endpoints/endpoint-routes.ts'
import { metricsRoutes } from './operation/metrics/metrics-routes.ts'
import { createMetrics, metricsText } from './operation/metrics/metrics-service.ts'
import { registerDeveloperPages, registerUserPages, visitorReaders } from './register-pages.ts'
import { docsRoutes } from './web/docs/docs-routes.ts'
import { assetRoutes, keptAssets } from './web/requests/asset-routes.ts'
import { siteFileRoutes } from './web/requests/site-file-routes.ts'
import { keepStates } from './web/requests/state.ts'
import { failedShell, visitorOfFailure } from './web/requests/visitor.ts'
import { errorPage, errorWords, longHeadersPage } from './web/shared/page/error-page.ts'

export type AppOptions = {
  deps: Deps
  version: string
  /** Why the server cannot answer just now, or undefined; asked by `/readyz`. */
  readiness: () => Promise<string | undefined>
  /** The text of `/metrics`; of this process alone unless given. */
  metrics?: () => Promise<string>
  /** Called when the plumbing is there and before the routes are: for what looks at each of them. */
  beforeRoutes?: (app: App) => Promise<void>
}

/**
 * The whole application: plumbing first, then the features, each in the scope of those who may
 * call it. Neither listens nor reads the environment.
 */
export async function buildApp({
  deps,
  version,
  readiness,
  metrics = ownMetricsText(deps, version),
  beforeRoutes,
}: AppOptions): Promise<App> {
  const app: App = Fastify(serverOptions(deps))
  app.decorate('deps', deps)
  app.decorate('codedAnswers', createCodedAnswers())

  const routes = collectRoutes(app)
  app.decorate('routes', routes)
  const { onEnd, watch } = watchRequestEnds(app)
  const sendHeaders = browserHeaders(deps.config.publicUrl, routes)
  beginRequests(app, {
    first(request, reply) {
      watch(request, reply)
      reply.header('x-request-id', request.id)
      sendHeaders(request, reply)
      limitRest(request.raw, reply.raw)
    },
    startDeadline: limitCallers(app, onEnd),
    startTrace: traceRequests(onEnd),
  })
  ignoreUpgrades(app.server)
  writeLongAnswersInTicks(app)
  acceptJsonBodies(app)
  takeBodies(app)
  answerNotModifiedToHead(app)
  refuseUndeclared(app)
  observeRequests(app, onEnd)
  countUsage(app, onEnd)
  keepStates(app)
  const assets = keptAssets()
  const assetVersion = assets.version
  const visitors = visitorReaders(deps)
  handleErrors(app, routes, async (error, request, reply) => {
    const ofDevelopers = /^\/developer(?![^/?])/i.test(request.url)
    const read = ofDevelopers ? visitors.developer : visitors.member
    const visitor = await visitorOfFailure(error, request, read)
    return errorPage({
      ...failedShell(visitor, request, reply),
      ...errorWords(error, {
        url: request.url,
        bodyLimitBytes: request.routeOptions.bodyLimit,
        isForm: request.method === 'POST' && !request.is404,
      }),
      status: error.status,
      requestId: request.id,
      assetVersion,
      area: ofDevelopers ? 'developers' : 'marketplace',
    })
  })
  app.decorate('pageOfLongHeaders', (requestId: string) =>
    [...longHeadersPage({ requestId, assetVersion }).pieces()].join(''),
  )
  await answerPreflights(app, routes)
  shedOverload(app)
  refuseUnanswerable(app, routes)
  await countRequests(app)
  await verifyBearerTokens(app)
  await beforeRoutes?.(app)

  await scope(app, 'public', [
    authRoutes,
    catalogueRoutes,
    publicTermsRoutes,
    eventTypeRoutes,
    publicKeyRoutes,
    metadataRoutes,
    oauthRoutes,
    reportRoutes,
    acceptInvitationRoutes,
    passwordResetRoutes,
    confirmEmailChangeRoutes,
    (open) => healthRoutes(open, { readiness }),
    (open) => docsRoutes(open, { assetVersion, version, visitors }),
    (open) => assetRoutes(open, assets),
    (open) => siteFileRoutes(open, { assetVersion }),
  ])
  await scope(app, 'developer', [
    developerInstallationRoutes,
    developerAcceptanceRoutes,
    developerUsageRoutes,
    mintTokenRoutes,
    revocationRoutes,
    ownDeveloperRoutes,
    ownDeveloperMemberRoutes,
    developerAppRoutes,
    visibilityRoutes,
    appVersionRoutes,
    developerTermsRoutes,
    developerTermsPdfRoutes,
    appListingRoutes,
    developerPictureRoutes,
    developerAuditRoutes,
    eventRoutes,
    eventConsumerRoutes,
    endpointRoutes,
    endpointActionRoutes,
    deliveryRoutes,
    developerInvitationRoutes,
    ownDeveloperInvitationRoutes,
  ])
  await scope(app, 'account', [
    ownUserRoutes,
    emailChangeRoutes,
    secondFactorRoutes,
    sessionRoutes,
    notificationRoutes,
    partyMemberRoutes,
    accountAppRoutes,
    accountInstallationRoutes,
    accountChangeRoutes,
    waitingUpgradeRoutes,
    accountUsageRoutes,
    accountTermsRoutes,
    accountAcceptanceRoutes,
    installRequestRoutes,
    accountAuditRoutes,
    partyInvitationRoutes,
    ownPartyInvitationRoutes,
  ])
  // Operators; support where a route only reads.
  await scope(app, 'operator', [
    operatorDeveloperRoutes,
    operatorDeveloperMemberRoutes,
    operatorPartyRoutes,
    operatorUserRoutes,
    operatorFactorRoutes,
    operatorInvitationRoutes,
    operatorPasswordResetRoutes,
    operatorAppRoutes,
    operatorInstallationRoutes,
    operatorAcceptanceRoutes,
    operatorUsageRoutes,
    operatorSuspensionRoutes,
    closeRoutes,
    operatorAuditRoutes,
    ...(deps.config.metricsPort === undefined
      ? [(operators: App) => metricsRoutes(operators, { metrics })]
      : []),
  ])
  await scope(app, 'installation', [
    productRoutes,
    productFeedRoutes,
    productWriteRoutes,
    productImportRoutes,
    profileRoutes,
    ownInstallationRoutes,
  ])
  await scope(app, 'browser', [(pages) => registerUserPages(pages, visitors, { assetVersion })])
  await scope(app, 'browser', [
    (pages) => registerDeveloperPages(pages, visitors, { assetVersion }),
  ])
  return app
}

function ownMetricsText(deps: Deps, version: string): () => Promise<string> {
  const read = createMetrics(deps, version)
  return async () => metricsText(await read())
}

type Feature = (app: App) => Promise<void>

/** Features that the same may call; each is registered in a scope of its own. */
async function scope(app: App, audience: Audience, features: readonly Feature[]) {
  await registerScope(app, async (scoped) => {
    declareAudience(scoped, audience)
    for (const feature of features) {
      await registerScope(scoped, async (inner) => {
        // Products are compressed where they are kept, and exports as they are read.
        if (feature !== productRoutes) compressAnswers(inner)
        await feature(inner)
      })
    }
  })
}
