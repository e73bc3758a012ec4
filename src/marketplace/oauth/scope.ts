import { PERMISSIONS } from '../apps/permissions.ts'

const KNOWN: ReadonlySet<string> = new Set(PERMISSIONS.map(({ id }) => id))

/** The names in a `scope`, which are permissions where there are such (RFC 6749, 3.3). */
export function namesInScope(scope: string): string[] {
  return scope.split(' ').filter((name) => name !== '')
}

/** Whether a `scope` names permissions and nothing else. */
export function isKnownScope(scope: string): boolean {
  const names = namesInScope(scope)
  return names.length > 0 && names.every((name) => KNOWN.has(name))
}

/** The permissions of a grant that a `scope` names: all of them where there is no scope. */
export function permissionsInScope(granted: readonly string[], scope: string | null): string[] {
  if (scope === null) return [...granted]
  const wanted = new Set(namesInScope(scope))
  return granted.filter((permission) => wanted.has(permission))
}

/** The permissions that a `scope` names and that were not granted. */
export function beyondGrant(granted: readonly string[], scope: string): string[] {
  return namesInScope(scope).filter((name) => !granted.includes(name))
}
