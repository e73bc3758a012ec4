import type { Field } from '../../kit/fields.ts'
import type { Visit } from '../../kit/frame.ts'
import { ownInstallationPath } from '../console-frame.ts'
import type { OwnInstallation } from './installation-shown.ts'

/** What every page of one installation is drawn from. */
export type OwnInstallationInput = Visit & { own: OwnInstallation }

/** The link from a form of an installation back to its page. */
export function backTo({ installation }: Pick<OwnInstallation, 'installation'>) {
  const label = `${installation.appName} for ${installation.partyName}`
  return { href: ownInstallationPath(installation.id), label }
}

/** Why a developer suspends. */
export const OWN_REASON: Field = {
  label: 'Reason',
  hint: 'The account sees it. At most 500 characters.',
  kind: 'lines',
}
