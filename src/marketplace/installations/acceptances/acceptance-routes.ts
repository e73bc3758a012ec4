import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AnyInstallationPath } from '../../../base/values/operator-paths.ts'
import type { App } from '../../../http/app-type.ts'
import { sendKnownDocument } from '../../../http/bodies/send-document.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { NOT_MODIFIED } from '../../../http/problem.ts'
import { developerOf, userOf } from '../../../identity/guards/audience.ts'
import { TERMS_MEDIA_TYPES, TermsContent } from '../../apps/terms/terms.ts'
import { InstallationPath } from '../installation.ts'
import { ofUser } from '../stored-installation-service.ts'
import { Acceptance, installationIn, sha256InPath } from './acceptance.ts'
import { type AcceptancesOf, acceptedTerms, listAcceptances } from './acceptances-service.ts'

type Audience = {
  base: '/v1/Account' | '/v1/Developer' | '/v1/Operator'
  path: typeof InstallationPath | typeof AnyInstallationPath
  tag: string
  /** Completes the ids of the operations. */
  whose: 'Account' | 'Developer' | 'Operator'
  readerOf(request: FastifyRequest): Omit<AcceptancesOf, 'installationId'> & { id: string | null }
}

/** What the user's accounts have accepted. */
export async function accountAcceptanceRoutes(app: App) {
  acceptanceRoutes(app, {
    ...{ base: '/v1/Account', path: InstallationPath, tag: 'Accounts', whose: 'Account' },
    readerOf(request) {
      const { userId } = userOf(request)
      return { reader: 'account', id: userId, where: ofUser(userId) }
    },
  })
}

/** What was accepted of a developer's apps. */
export async function developerAcceptanceRoutes(app: App) {
  acceptanceRoutes(app, {
    ...{ base: '/v1/Developer', path: InstallationPath, tag: 'Installations', whose: 'Developer' },
    readerOf(request) {
      const { developerId } = developerOf(request)
      return { reader: 'developer', id: developerId, where: { developerId } }
    },
  })
}

/** What was accepted of any app. */
export async function operatorAcceptanceRoutes(app: App) {
  acceptanceRoutes(app, {
    ...{ base: '/v1/Operator', path: AnyInstallationPath, tag: 'Operator', whose: 'Operator' },
    readerOf: () => ({ reader: 'operator', id: null, where: {} }),
  })
}

function acceptanceRoutes(app: App, { base, path, tag, whose, readerOf }: Audience): void {
  const [name] = Object.keys(path.shape)
  const url = `${base}/Installations/:${name}/Acceptances`
  const tags = [tag]

  app.get(
    url,
    {
      schema: {
        operationId: `list${whose}Acceptances`,
        tags,
        summary: 'List what was accepted for an installation',
        description:
          'Acknowledgements, terms and permissions at the install and at each upgrade, oldest ' +
          'first, in the words that they had then. Uninstalled installations included.',
        params: path,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(Acceptance) },
      },
    },
    (request, reply) => {
      const installationId = installationIn(request.params)
      const { id, ...reader } = readerOf(request)
      return answerPage(request, reply, ['acceptances', whose, id, installationId], (page) =>
        listAcceptances(app.deps, { installationId, ...reader }, page),
      )
    },
  )

  app.get(
    `${url}/:sha256/TermsDocument`,
    {
      schema: {
        operationId: `read${whose}AcceptedTermsDocument`,
        tags,
        summary: 'Read a terms document that was accepted',
        description:
          'The document with this hash, also one that an upgrade has replaced. The response is a file to be saved.',
        produces: Object.keys(TERMS_MEDIA_TYPES),
        answerHeaders: ['Content-Disposition'],
        params: z.object({ ...path.shape, sha256: sha256InPath }),
        response: { 200: TermsContent, ...NOT_MODIFIED },
      },
    },
    async (request, reply) => {
      const installationId = installationIn(request.params)
      const { where } = readerOf(request)
      const terms = await acceptedTerms(app.deps, { installationId, where }, request.params.sha256)
      return sendKnownDocument(request, reply, terms)
    },
  )
}
