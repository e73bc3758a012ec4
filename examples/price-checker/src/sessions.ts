import { randomBytes } from 'node:crypto'

const TTL_MS = 3_600_000
const SESSIONS_MAX = 10_000

/** Which installation each browser has opened. */
export type Sessions = {
  begin(installationId: string): string
  installationOf(id: string | undefined): string | undefined
  end(id: string | undefined): void
}

/**
 * Makes sessions in memory. They end with the process, after an hour, or when there are too many.
 */
export function createSessions(): Sessions {
  const sessions = new Map<string, { installationId: string; endsAt: number }>()
  return {
    begin(installationId) {
      const id = randomBytes(32).toString('base64url')
      sessions.set(id, { installationId, endsAt: Date.now() + TTL_MS })
      for (const oldest of sessions.keys()) {
        if (sessions.size <= SESSIONS_MAX) break
        sessions.delete(oldest)
      }
      return id
    },
    installationOf(id) {
      const session = id === undefined ? undefined : sessions.get(id)
      return session !== undefined && Date.now() < session.endsAt
        ? session.installationId
        : undefined
    },
    end(id) {
      if (id !== undefined) sessions.delete(id)
    },
  }
}
