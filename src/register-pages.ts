import type { Deps } from './deps.ts'
import type { App } from './http/app-type.ts'
import { registerScope } from './http/register-scope.ts'
import { readDeveloperPerson } from './identity/auth/developer-person-service.ts'
import { readAnySession, readSession, type Session } from './identity/auth/user-session-service.ts'
import { countWaitingUpgrades } from './marketplace/installations/upgrades/waiting-upgrades-service.ts'
import { receiverRoutes } from './process/demo/receiver-routes.ts'
import { accountPageRoutes } from './web/account/account-routes.ts'
import { emailRoutes } from './web/account/email-routes.ts'
import { headerAccountRoutes } from './web/account/header-account-routes.ts'
import { readHeaderAccount } from './web/account/header-account-service.ts'
import { installationChangePageRoutes } from './web/account/installation-change-routes.ts'
import { installationPageRoutes } from './web/account/installation-routes.ts'
import { waitingInvitationRoutes } from './web/account/invitation-routes.ts'
import { inviteMemberRoutes } from './web/account/members/invite-routes.ts'
import { memberRoutes } from './web/account/members/member-routes.ts'
import { notificationPages } from './web/account/notifications/notification-page-routes.ts'
import { ownDataRoutes } from './web/account/own-data-routes.ts'
import { requestRoutes } from './web/account/requests/request-routes.ts'
import { savedViewRoutes } from './web/account/saved-view-routes.ts'
import { confirmRoutes } from './web/account/security/confirm-routes.ts'
import { enrolmentRoutes } from './web/account/security/enrolment-routes.ts'
import { passwordRoutes } from './web/account/security/password-routes.ts'
import { securityRoutes } from './web/account/security/security-routes.ts'
import { accountTokenRoutes } from './web/account/security/token-routes.ts'
import { signInCodeRoutes } from './web/account/sign-in/sign-in-code-routes.ts'
import { signInRoutes } from './web/account/sign-in/sign-in-routes.ts'
import { singleSignOnRoutes } from './web/account/sign-in/single-sign-on-routes.ts'
import { upgradesRoutes } from './web/account/upgrades/upgrades-routes.ts'
import { ownAppRoutes } from './web/developer/app-routes.ts'
import { credentialsRoutes } from './web/developer/credentials-routes.ts'
import { definitionRoutes } from './web/developer/definition/definition-routes.ts'
import { guideRoutes } from './web/developer/definition/guide-routes.ts'
import { consumerPageRoutes } from './web/developer/events/consumer-page-routes.ts'
import { eventsPageRoutes } from './web/developer/events/events-page-routes.ts'
import { bulkInstallationRoutes } from './web/developer/installations/bulk-installation-routes.ts'
import { installationQuestionRoutes } from './web/developer/installations/installation-question-routes.ts'
import { ownInstallationPageRoutes } from './web/developer/installations/installation-routes.ts'
import { listingPageRoutes } from './web/developer/listing/listing-page-routes.ts'
import { picturePageRoutes } from './web/developer/listing/picture-page-routes.ts'
import { listingRoutes } from './web/developer/listing-routes.ts'
import { developerChoiceRoutes } from './web/developer/people/choice-routes.ts'
import { inviteDeveloperRoutes } from './web/developer/people/invite-routes.ts'
import { developerPeopleRoutes } from './web/developer/people/people-routes.ts'
import { openInSandboxRoutes } from './web/developer/sandbox/open-routes.ts'
import { sandboxRoutes } from './web/developer/sandbox/sandbox-routes.ts'
import { termsRoutes } from './web/developer/terms-routes.ts'
import { testTokenRoutes } from './web/developer/test-token/test-token-routes.ts'
import { visibilityPages } from './web/developer/visibility/visibility-routes.ts'
import { deliveryPageRoutes } from './web/developer/webhooks/delivery-page-routes.ts'
import { endpointFormRoutes } from './web/developer/webhooks/endpoint-form-routes.ts'
import { endpointPageRoutes } from './web/developer/webhooks/endpoint-page-routes.ts'
import { endpointQuestionRoutes } from './web/developer/webhooks/endpoint-question-routes.ts'
import { recoverRoutes } from './web/developer/webhooks/recover-routes.ts'
import { linkPageRoutes } from './web/links/link-page-routes.ts'
import { directoryRoutes } from './web/marketplace/directory-routes.ts'
import { homeRoutes } from './web/marketplace/home-routes.ts'
import { installLinkRoutes } from './web/marketplace/install-link-routes.ts'
import { installRoutes } from './web/marketplace/install-routes.ts'
import { mediaRoutes } from './web/marketplace/media-routes.ts'
import { operatorAccessPages } from './web/operator/access/access-routes.ts'
import { operatorBulkRemovalPages } from './web/operator/forms/bulk-removal-routes.ts'
import { operatorCreateRoutes } from './web/operator/forms/create-routes.ts'
import { operatorInvitationPages } from './web/operator/invitations/invitations-routes.ts'
import { operatorListRoutes } from './web/operator/list-routes.ts'
import { operatorOverviewRoutes } from './web/operator/overview-routes.ts'
import { operatorRecordPages } from './web/operator/record-routes.ts'
import { operatorSuspensionPages } from './web/operator/suspension/suspension-page-routes.ts'
import { auditExportRoutes } from './web/operator/trail/audit-export-routes.ts'
import { redirectRoutes } from './web/redirect/redirect-routes.ts'
import { actOnce } from './web/requests/act-once.ts'
import { tellWhyClosed } from './web/requests/closed-console.ts'
import { acceptForms } from './web/requests/pages.ts'
import { askForRecentFactor } from './web/requests/recent-factor.ts'
import { admitOperators, askForDeveloper, recogniseVisitors } from './web/requests/visitor.ts'
import { type Visitor, visitorOfUser } from './web/requests/visitor-type.ts'
import { searchRoutes } from './web/search/search-routes.ts'

/** Who is signed in with the cookie of a session, as some pages need to know. */
export function visitorReaders(deps: Deps) {
  return {
    user: async (cookie: string | undefined) => visitorOfSession(await readSession(deps, cookie)),
    /** A user, perhaps one who must turn on a second factor first. */
    enrolling: async (cookie: string | undefined) =>
      visitorOfSession(await readAnySession(deps, cookie)),
    /** A user with the account that was chosen in the header. */
    async member(cookie: string | undefined) {
      const session = await readSession(deps, cookie)
      const visitor = visitorOfSession(session)
      if (session === undefined || visitor === undefined) return undefined
      const accounts = await readHeaderAccount(deps, session)
      const of = { userId: visitor.id, partyId: accounts?.chosen?.id }
      return { ...visitor, accounts, upgrades: await countWaitingUpgrades(deps, of) }
    },
    /** A person who works for developers, whether one is chosen or not. */
    developer: (cookie: string | undefined) => personOf(deps, cookie),
  }
}

async function personOf(deps: Deps, cookie: string | undefined): Promise<Visitor | undefined> {
  const person = await readDeveloperPerson(deps, cookie)
  if (person === undefined) return undefined
  const { user, chosen } = person
  return { ...visitorOfUser(user), principal: chosen?.principal, developerName: chosen?.name }
}

function visitorOfSession(session: Session | undefined): Visitor | undefined {
  return session && visitorOfUser(session.user)
}

type VisitorReaders = ReturnType<typeof visitorReaders>

/** `assetVersion` changes when a stylesheet or an icon does. */
type PageOptions = { assetVersion: string }
type Pages = (app: App) => Promise<void>

/** Registers the pages for users: sign-in, links, redirect, marketplace, account, operator console. */
export async function registerUserPages(
  app: App,
  visitors: VisitorReaders,
  options: PageOptions,
): Promise<void> {
  await acceptForms(app, options)
  await registerAll(app, [
    signInRoutes,
    (redirect) => redirectRoutes(redirect, { readDeveloper: visitors.developer }),
  ])
  await registerScope(app, async (anybodyApp) => {
    actOnce(anybodyApp)
    await registerAll(anybodyApp, [signInCodeRoutes, linkPageRoutes, singleSignOnRoutes])
  })
  await registerScope(app, async (visitorApp) => {
    recogniseVisitors(visitorApp, visitors.enrolling, { required: true })
    actOnce(visitorApp)
    await registerAll(visitorApp, [enrolmentRoutes])
  })
  await registerScope(app, async (visitorApp) => {
    recogniseVisitors(visitorApp, visitors.member, { required: false })
    const search = (pages: App) => searchRoutes(pages, { readDeveloper: visitors.developer })
    await registerAll(visitorApp, [
      homeRoutes,
      directoryRoutes,
      mediaRoutes,
      search,
      receiverRoutes,
    ])
  })
  await registerScope(app, async (visitorApp) => {
    recogniseVisitors(visitorApp, visitors.member, { required: true })
    askForRecentFactor(visitorApp)
    actOnce(visitorApp)
    const installations = [
      installRoutes,
      installLinkRoutes,
      installationPageRoutes,
      installationChangePageRoutes,
    ]
    const account = [
      accountPageRoutes,
      waitingInvitationRoutes,
      securityRoutes,
      passwordRoutes,
      confirmRoutes,
      accountTokenRoutes,
      headerAccountRoutes,
      memberRoutes,
      inviteMemberRoutes,
      requestRoutes,
      ownDataRoutes,
      emailRoutes,
      notificationPages,
      savedViewRoutes,
      upgradesRoutes,
    ]
    const pages = [...installations, ...account]
    await registerAll(visitorApp, pages)
  })
  // Operators; support looks at pages and sends no form.
  await registerScope(app, async (operatorApp) => {
    recogniseVisitors(operatorApp, visitors.user, { required: true })
    admitOperators(operatorApp)
    askForRecentFactor(operatorApp)
    actOnce(operatorApp)
    const records = [
      operatorCreateRoutes,
      operatorInvitationPages,
      operatorRecordPages,
      operatorSuspensionPages,
      operatorBulkRemovalPages,
    ]
    const lists = [operatorOverviewRoutes, operatorListRoutes, auditExportRoutes]
    const pages = [...lists, operatorAccessPages, ...records]
    await registerAll(operatorApp, pages)
  })
}

/** Registers the pages of the developer console. */
export async function registerDeveloperPages(
  app: App,
  visitors: VisitorReaders,
  options: PageOptions,
): Promise<void> {
  await acceptForms(app, options)
  const { developer } = visitors
  const signIn = { required: true, answerOther: tellWhyClosed }
  await registerScope(app, async (personApp) => {
    recogniseVisitors(personApp, developer, signIn)
    await registerAll(personApp, [developerChoiceRoutes])
  })
  await registerScope(app, async (developerApp) => {
    recogniseVisitors(developerApp, developer, signIn)
    askForDeveloper(developerApp)
    askForRecentFactor(developerApp)
    actOnce(developerApp)
    const apps = [
      ownAppRoutes,
      listingRoutes,
      visibilityPages,
      listingPageRoutes,
      picturePageRoutes,
      definitionRoutes,
      guideRoutes,
      termsRoutes,
      sandboxRoutes,
      openInSandboxRoutes,
    ]
    const endpoints = [
      endpointFormRoutes,
      endpointPageRoutes,
      endpointQuestionRoutes,
      recoverRoutes,
    ]
    const events = [...endpoints, deliveryPageRoutes, eventsPageRoutes, consumerPageRoutes]
    const installations = [
      bulkInstallationRoutes,
      ownInstallationPageRoutes,
      installationQuestionRoutes,
      testTokenRoutes,
    ]
    const people = [credentialsRoutes, developerPeopleRoutes, inviteDeveloperRoutes]
    const pages = [...apps, ...events, ...installations, ...people]
    await registerAll(developerApp, pages)
  })
}

/** Each in a scope of its own. */
async function registerAll(app: App, pages: readonly Pages[]): Promise<void> {
  for (const page of pages) await registerScope(app, page)
}
