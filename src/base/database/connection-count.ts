/** Connections of a worker beside those for requests: `docs/deploy.md` says what for. */
const OTHER_CONNECTIONS = 9
const REQUEST_CONNECTIONS_MIN = 2

/** Connections for requests that each worker has, of a pool that all workers share. */
export function poolOfWorker(workers: number, poolSize: number): number {
  return Math.max(REQUEST_CONNECTIONS_MIN, Math.floor(poolSize / workers))
}

/** How many connections to Postgres a server can hold. */
export function connectionsOf(workers: number, poolSize: number): number {
  const forRequests = workers > 1 ? poolOfWorker(workers, poolSize) : poolSize
  return workers * (forRequests + OTHER_CONNECTIONS)
}
