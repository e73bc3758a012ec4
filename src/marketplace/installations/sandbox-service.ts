import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { DeveloperAuthor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { holdName } from '../../identity/accounts/parties-service.ts'
import { type AppDefinition, acknowledgementSha256 } from '../apps/definition.ts'
import { largestOnGrid } from '../apps/pricing/decimals.ts'
import { findApp } from '../apps/read-apps-service.ts'
import { profileOf, type SettingDefinition } from '../apps/settings/definitions.ts'
import { explainingRefusals } from './install-refusals-service.ts'
import { installIn } from './install-service.ts'
import { uninstall } from './lifecycle-service.ts'

/**
 * Installs a developer's own app in its sandbox, listed or not. An existing installation is
 * replaced, so that the new one has the latest version. Mandatory settings that are missing get
 * sample values, and the developer counts as having accepted everything that the app asks.
 *
 * @param input without a purchase option the first one is used
 * @returns the id of the installation
 * @throws AppError not_found, unprocessable, conflict when the operator has suspended the former one,
 *   already_installed
 */
export async function installInSandbox(
  deps: Pick<Deps, 'db' | 'secrets' | 'now'>,
  { developerId, actor }: DeveloperAuthor,
  appId: string,
  input: {
    purchaseOptionId?: string | undefined
    userSettings?: Record<string, unknown> | undefined
  },
): Promise<string> {
  const party = await findSandbox(deps.db, developerId)
  return explainingRefusals(deps.db, { partyId: party.id, appId }, () =>
    inTransaction(deps.db, async (tx) => {
      const inTx = { ...deps, db: tx }
      // Two calls at the same time replace one after the other. FOR UPDATE would stop changes of the
      // installation that is replaced: their second update of its row checks its foreign keys.
      await tx.$queryRaw`SELECT 1 FROM apps WHERE id = ${appId} FOR NO KEY UPDATE`
      await holdName(tx, party.id)
      const { definition, facts } = await findApp(tx, appId, { developerId })
      if (facts.suspended) {
        throw new AppError('unprocessable', { detail: 'The operator has suspended the app.' })
      }
      await removeFormer(inTx, { developerId, actor }, { appId, partyId: party.id })
      const purchaseOptionId = input.purchaseOptionId ?? firstOptionId(definition)
      return installIn(inTx, { party }, actor, {
        appId,
        purchaseOptionId,
        userSettings: { ...sampleSettings(definition, purchaseOptionId), ...input.userSettings },
        acknowledgements: definition.acknowledgements.map((one) => ({
          id: one.id,
          sha256: acknowledgementSha256(one),
        })),
        termsDocument: facts.termsDocument,
      })
    }),
  )
}

/** @throws AppError conflict when the operator has suspended it */
async function removeFormer(
  deps: Pick<Deps, 'db' | 'now'>,
  { developerId, actor }: DeveloperAuthor,
  { appId, partyId }: { appId: string; partyId: number },
): Promise<void> {
  const former = await deps.db.installation.findFirst({ where: { appId, partyId, live: true } })
  if (former === null) return
  if (former.suspendedBy === 'operator') {
    throw new AppError('conflict', {
      detail: 'The operator has suspended the installation in your sandbox, and alone resumes it.',
    })
  }
  await uninstall(deps, { installationId: former.id, where: { developerId }, actor })
}

async function findSandbox(db: Db, developerId: string) {
  const party = await db.party.findFirst({ where: { sandboxOf: { id: developerId } } })
  if (party === null) throw new AppError('not_found')
  return party
}

function firstOptionId({ purchaseOptions }: AppDefinition): string {
  return purchaseOptions[0]?.id ?? ''
}

/** A value for every mandatory user setting, so that a first try needs no input. */
function sampleSettings(
  { settings }: AppDefinition,
  purchaseOptionId: string,
): Record<string, string | number | boolean> {
  const profile = profileOf(settings, purchaseOptionId)
  return Object.fromEntries(
    Object.entries(profile)
      .filter(([, setting]) => setting.mandatory && setting.scope === 'user')
      .map(([key, setting]) => [key, sampleValue(setting)]),
  )
}

function sampleValue(setting: SettingDefinition): string | number | boolean {
  switch (setting.type) {
    case 'text':
      return setting.placeholder?.trim() || 'sample'
    case 'password':
      return 'sample'
    case 'boolean':
      return false
    case 'number':
      return sampleNumber(setting)
    case 'select':
      return setting.options[0]?.value ?? ''
  }
}

/**
 * The smallest allowed value where there is one; otherwise the one nearest to 0 that is not above
 * it.
 */
function sampleNumber({ min, max = 0, step }: Extract<SettingDefinition, { type: 'number' }>) {
  if (min !== undefined) return min
  if (max >= 0 || step === undefined) return Math.min(0, max)
  return largestOnGrid(max, step, 0)
}
