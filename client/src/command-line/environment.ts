import { homedir } from 'node:os'
import { join } from 'node:path'

/** The file with this person's credentials, in the directory that XDG specifies. */
export function credentialsFile(): string {
  const base = process.env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return join(base, 'app-marketplace', 'credentials.json')
}
