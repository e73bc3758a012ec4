import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { expectedRevisions, setRevision } from '../../http/revision-etag.ts'
import { userActor } from '../../identity/guards/actor.ts'
import { userOf } from '../../identity/guards/audience.ts'
import { fewAtOnce } from '../../identity/guards/few-at-once.ts'
import { VersionText } from '../apps/definition.ts'
import { AccountInstallation, OptionChange, Upgrade } from './account-installation.ts'
import { accountInstallationOf } from './account-installations-service.ts'
import { ConsentFields, consentOf } from './consent.ts'
import { InstallationPath, UserSettingsPatch } from './installation.ts'
import { changeOption, previewOption } from './option-service.ts'
import { patchSettings } from './settings/settings-service.ts'
import { ofAdmin, ofUser, type StoredInstallation } from './stored-installation-service.ts'
import { previewUpgrade, upgradeInstallation } from './upgrade-service.ts'

const purchaseOptionId = z.string().max(64).describe('The purchase option to change to.')
const userSettings = z
  .record(z.string(), z.unknown())
  .default({})
  .describe('Values on top of those that stay: setting key -> value.')

const OptionRequest = z.strictObject({ purchaseOptionId, userSettings }).meta({
  id: 'OptionRequest',
  description: 'The new purchase option, with the settings that it needs.',
  example: { purchaseOptionId: 'free', userSettings: { region: 'eu' } },
})

const UpgradeRequest = z
  .strictObject({
    version: VersionText.describe('The version that the preview showed.'),
    purchaseOptionId: purchaseOptionId.optional(),
    userSettings,
    ...ConsentFields,
  })
  .meta({
    id: 'UpgradeRequest',
    description: 'The version to upgrade to, with settings and what is accepted.',
    example: { version: '2.0.0', userSettings: {} },
  })

const PATH = '/v1/Account/Installations/:installationId'
const tags = ['Accounts']

/** How users change an installation: its settings, its purchase option, its version. */
export async function accountChangeRoutes(app: App) {
  const answer = async (reply: FastifyReply, stored: StoredInstallation) => {
    setRevision(reply, stored.row.revision)
    return accountInstallationOf(app.deps, stored)
  }

  app.patch(
    `${PATH}/UserSettings`,
    {
      schema: {
        operationId: 'changeUserSettings',
        tags,
        summary: 'Change the user settings',
        description:
          'A merge patch. An empty password keeps the stored one. `If-Match` with the ETag ' +
          'of the installation keeps you from overwriting the change of somebody else; ' +
          'without it, concurrent changes of different keys are all kept.',
        params: InstallationPath,
        body: UserSettingsPatch,
        response: { 200: AccountInstallation },
        answerHeaders: ['ETag'],
        problems: ['admin_required', 'conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { userId, actor } = userActor(request)
      const { installationId } = request.params
      const stored = await patchSettings(app.deps, {
        installationId,
        where: await ofAdmin(app.deps.db, userId, installationId),
        scope: 'user',
        patch: request.body,
        expectedRevisions: expectedRevisions(request),
        actor,
      })
      return answer(reply, stored)
    },
  )

  app.get(
    `${PATH}/PurchaseOption`,
    {
      schema: {
        operationId: 'previewPurchaseOption',
        tags,
        summary: 'Preview a change of the purchase option',
        description:
          'Shows which settings stay, are lost or are needed, and the difference in price.',
        params: InstallationPath,
        querystring: z.strictObject({ purchaseOptionId }),
        response: { 200: OptionChange },
        problems: ['unprocessable'],
      },
    },
    (request) => {
      const { userId } = userOf(request)
      const { installationId } = request.params
      const wanted = request.query.purchaseOptionId
      return previewOption(app.deps, installationId, ofUser(userId), wanted)
    },
  )

  app.post(
    `${PATH}/PurchaseOption`,
    {
      schema: {
        operationId: 'changePurchaseOption',
        tags,
        summary: 'Change the purchase option',
        description: 'Settings that the new option does not have are lost; the preview names them.',
        params: InstallationPath,
        body: OptionRequest,
        response: { 200: AccountInstallation },
        answerHeaders: ['ETag'],
        problems: ['admin_required', 'installation_suspended', 'conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { userId, actor } = userActor(request)
      const { installationId } = request.params
      const stored = await changeOption(app.deps, {
        installationId,
        where: await ofAdmin(app.deps.db, userId, installationId),
        ...request.body,
        expectedRevisions: expectedRevisions(request),
        actor,
      })
      return answer(reply, stored)
    },
  )

  app.get(
    `${PATH}/Upgrade`,
    {
      onRequest: fewAtOnce,
      schema: {
        operationId: 'previewUpgrade',
        tags,
        summary: 'Preview the upgrade to the latest version',
        description: 'Shows what changes, what you have to accept, and what it will cost.',
        params: InstallationPath,
        querystring: z.strictObject({ purchaseOptionId: purchaseOptionId.optional() }),
        response: { 200: Upgrade },
      },
    },
    (request) => {
      const { userId } = userOf(request)
      const { installationId } = request.params
      const wanted = request.query.purchaseOptionId
      return previewUpgrade(app.deps, installationId, ofUser(userId), wanted)
    },
  )

  app.post(
    `${PATH}/Upgrade`,
    {
      schema: {
        operationId: 'upgradeInstallation',
        tags,
        summary: 'Upgrade to the latest version',
        description:
          'Send the version that the preview showed; if a newer one was published since, the ' +
          'answer is 409 `conflict`. The installation keeps its id. Tokens with other ' +
          'permissions are refused.',
        params: InstallationPath,
        body: UpgradeRequest,
        response: { 200: AccountInstallation },
        answerHeaders: ['ETag'],
        problems: [
          'admin_required',
          'installation_suspended',
          'conflict',
          'acknowledgement_changed',
          'precondition_failed',
        ],
      },
    },
    async (request, reply) => {
      const { userId, actor } = userActor(request)
      const { body } = request
      const { installationId } = request.params
      const stored = await upgradeInstallation(app.deps, {
        installationId,
        where: await ofAdmin(app.deps.db, userId, installationId),
        version: body.version,
        purchaseOptionId: body.purchaseOptionId,
        userSettings: body.userSettings,
        consent: consentOf(body),
        expectedRevisions: expectedRevisions(request),
        actor,
      })
      return answer(reply, stored)
    },
  )
}
