import { OPERATOR_TABS } from '../kit/frame.ts'

/** The parts whose things have pages of their own. */
export type RecordTab = 'Parties' | 'Users' | 'Developers' | 'Apps' | 'Installations'

/** The address of one thing of the console. */
export function pathTo(tab: RecordTab, id: string | number): string {
  return `${OPERATOR_TABS[tab]}/${encodeURIComponent(id)}`
}
