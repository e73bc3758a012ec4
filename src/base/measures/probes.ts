/**
 * What machines ask all the time: whether the process lives and can answer, and what it counts. An
 * overloaded server answers them all the same, and they are left out of what people see.
 */
export const PROBE_ROUTES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics'])
