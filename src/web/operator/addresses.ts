import { OPERATOR_TABS } from '../kit/frame.ts'

/** The parts whose things have pages of their own. */
export type RecordTab = 'Parties' | 'Users' | 'Developers' | 'Apps' | 'Installations'

/** The address of one thing of the console. */
export function pathTo(tab: RecordTab, id: string | number): string {
  return `${OPERATOR_TABS[tab]}/${encodeURIComponent(id)}`
}

/** A path with a query; what is empty is left out. */
export function withQuery(path: string, query: Record<string, string | number | undefined>) {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') given.set(name, String(value))
  }
  return given.size === 0 ? path : `${path}?${given}`
}
