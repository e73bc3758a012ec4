import type { OperatorTab } from '../../kit/frame.ts'
import { questionPage } from '../../kit/question-page.ts'
import type { FormAttempt } from '../../shared/forms/form-problems.ts'
import type { HtmlPage, UserShell } from '../../shared/page/html-page.ts'

/** Who reads the reason of a suspension, by the tab of what is suspended. */
const READERS = {
  Developers: 'Shown to its people and to accounts that have its apps.',
  Apps: 'Shown to its developer and to accounts that have it.',
  Parties: 'Shown to its members.',
  Users:
    'Kept in the audit trail, and not shown to the suspended user. After you resume the user, the download of their own data contains it.',
  Installations: 'Shown to its account and to the developer of the app.',
} as const satisfies Partial<Record<OperatorTab, string>>

type SuspendPageInput = UserShell & {
  tab: keyof typeof READERS
  /** What is to be suspended: its kind in words, its name and its page. */
  noun: string
  name: string
  path: string
  effect: string
  attempt: FormAttempt
}

/** Asks for the reason of a suspension, and for a last word. */
export function suspendRecordPage(input: SuspendPageInput): HtmlPage {
  const { tab, noun, name, path, effect, attempt } = input
  return questionPage({ console: 'operator', tab, asks: true }, input, {
    title: `Suspend ${name}`,
    back: { href: path, label: name },
    action: `${path}/Suspend`,
    button: `Suspend the ${noun}`,
    consequences: [effect, `This takes effect immediately and lasts until you resume the ${noun}.`],
    fields: {
      reason: { label: 'Reason', hint: `${READERS[tab]} At most 500 characters.`, kind: 'lines' },
    },
    attempt,
  })
}
