import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the credentials of this person are kept: as the XDG base directories say. */
export function credentialsFile(): string {
  const base = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return join(base, 'app-marketplace', 'credentials.json')
}
