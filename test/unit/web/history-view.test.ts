import { expect, it } from 'vitest'
import { AUDIT_ACTIONS } from '../../../src/identity/audit/audit-actions.ts'
import { render } from '../../../src/web/shared/page/html.ts'
import { historyPage, namesForDeveloper } from '../../../src/web/shared/status/history-view.ts'

it('says in words every change that a history can show', () => {
  const counted = ['installation.opened', 'installation.tokens_minted']
  const actions = AUDIT_ACTIONS.filter(
    (action) => /^(app|installation|webhook)\./.test(action) && !counted.includes(action),
  )
  const actor = { kind: 'system', id: null } as const
  const subject = { kind: 'app', id: 'price-sync' }
  const rest = { id: 1, at: new Date(0), actor, subject, before: null, after: null }
  const entries = actions.map((action) => ({ ...rest, action }))
  const page = { entries, isContinued: false, cursor: undefined }
  const markup = render(historyPage(page, namesForDeveloper(new Map()), '/'))
  expect(markup).not.toMatch(/[a-z]\.[a-z]/)
})
