import type { Demo } from '../../src/process/demo/demo-file.ts'
import { Raw } from './fuzz-values.ts'
import { WEBHOOK_AIMS } from './fuzz-webhooks.ts'

const FORM = { type: 'application/x-www-form-urlencoded' }

/** What operations of OAuth and of webhooks rarely succeed with by chance. */
export const OTHER_AIMS = {
  ...WEBHOOK_AIMS,
  createOAuthToken: { body: 'oauth.grants', ...FORM },
  revokeOAuthToken: { body: 'oauth.questions', ...FORM },
  introspectOAuthToken: { body: 'oauth.questions', ...FORM },
}

/** Forms of the demo's developers. */
export function oauthPools({ developers }: Pick<Demo, 'developers'>): Record<string, unknown[]> {
  const formsOf = (fields: Record<string, string>) =>
    developers.map(({ clientId, password }) => {
      const client = { client_id: clientId, client_secret: password }
      return new Raw(new URLSearchParams({ ...client, ...fields }).toString())
    })
  return {
    'oauth.grants': formsOf({ grant_type: 'client_credentials' }),
    'oauth.questions': formsOf({ token: 'x' }),
  }
}
