import type { App } from '../../../http/app-type.ts'
import { sendKnownDocument } from '../../../http/bodies/send-document.ts'
import { NOT_MODIFIED } from '../../../http/problem.ts'
import { userOf } from '../../../identity/guards/audience.ts'
import { TERMS_MEDIA_TYPES, TermsContent } from '../../apps/terms/terms.ts'
import { InstallationPath } from '../installation.ts'
import { ofUser } from '../stored-installation-service.ts'
import { installedTerms, upgradeTerms } from './installed-terms-service.ts'

const PATH = '/v1/Account/Installations/:installationId'
const schema = {
  tags: ['Accounts'],
  produces: Object.keys(TERMS_MEDIA_TYPES),
  answerHeaders: ['Content-Disposition' as const],
  params: InstallationPath,
  response: { 200: TermsContent, ...NOT_MODIFIED },
}

const pdf = { ...schema, produces: ['application/pdf'] }

/** The terms documents that bind an account, or that an upgrade asks it to accept. */
export async function accountTermsRoutes(app: App) {
  app.get(
    `${PATH}/TermsDocument`,
    {
      schema: {
        operationId: 'readInstalledTermsDocument',
        summary: 'Read the terms document of an installation',
        description:
          'The document of the installed version, which binds the account. It stays when the ' +
          'app is uninstalled, unlisted or deleted.',
        ...schema,
      },
    },
    async (request, reply) => {
      const { userId } = userOf(request)
      const { installationId } = request.params
      const terms = await installedTerms(app.deps, installationId, ofUser(userId))
      return sendKnownDocument(request, reply, terms)
    },
  )

  app.get(
    `${PATH}/Upgrade/TermsDocument`,
    {
      schema: {
        operationId: 'readUpgradeTermsDocument',
        summary: 'Read the terms document of an upgrade',
        description: 'The document of the version that the preview shows.',
        ...schema,
      },
    },
    async (request, reply) => {
      const { userId } = userOf(request)
      const { installationId } = request.params
      const terms = await upgradeTerms(app.deps, installationId, ofUser(userId))
      return sendKnownDocument(request, reply, terms)
    },
  )

  app.get(
    `${PATH}/TermsDocument/Pdf`,
    {
      schema: {
        operationId: 'readInstalledTermsPdf',
        summary: 'Read the PDF beside the terms of an installation',
        description: 'What binds the account is the text. 404 where there is no PDF beside it.',
        ...pdf,
      },
    },
    async (request, reply) => {
      const { userId } = userOf(request)
      const { installationId } = request.params
      const file = await installedTerms(app.deps, installationId, ofUser(userId), 'pdf')
      return sendKnownDocument(request, reply, file)
    },
  )

  app.get(
    `${PATH}/Upgrade/TermsDocument/Pdf`,
    {
      schema: {
        operationId: 'readUpgradeTermsPdf',
        summary: 'Read the PDF beside the terms of an upgrade',
        description: 'What is accepted is the text. 404 where there is no PDF beside it.',
        ...pdf,
      },
    },
    async (request, reply) => {
      const { userId } = userOf(request)
      const { installationId } = request.params
      const file = await upgradeTerms(app.deps, installationId, ofUser(userId), 'pdf')
      return sendKnownDocument(request, reply, file)
    },
  )
}
