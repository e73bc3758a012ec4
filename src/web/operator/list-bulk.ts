import type { BulkChoice } from '../kit/bulk-choice.ts'
import { OPERATOR_TABS, type OperatorTab } from '../kit/frame.ts'
import type { Chosen } from '../kit/list-page.ts'
import { pathTo } from './addresses.ts'

type Listed = { id: string | number; closedAt?: Date | null } & (
  | { name: string }
  | { appName: string; partyName: string }
)

/** What operators do with several entries of a list: they suspend or resume them, or take users from an account. */
export function bulkOf(tab: OperatorTab, { partyId }: Chosen): BulkChoice<unknown> | undefined {
  if (tab === 'Overview' || tab === 'Audit trail') return undefined
  const path = OPERATOR_TABS[tab]
  const isOfAccount = tab === 'Users' && partyId !== undefined
  return {
    actions: {
      'Suspend…': `${path}/Suspend`,
      'Resume…': `${path}/Resume`,
      ...(isOfAccount && { 'Remove…': `${pathTo('Parties', partyId)}/Members/Remove` }),
    },
    choiceOf(entry) {
      const one = entry as Listed
      if (one.closedAt) return undefined
      return { id: one.id, name: 'name' in one ? one.name : `${one.appName} for ${one.partyName}` }
    },
  }
}
