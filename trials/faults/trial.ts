/** What one attack or fault did to the server, and what was asked of it. */
export type Finding = {
  /** What was done, such as "4 connections send 1 MiB of JSON for ever". */
  what: string
  /** What was seen, with its unit, such as "p99 of /livez 34 ms". */
  seen: string
  /** What is asked, such as "under 100 ms". */
  target: string
  held: boolean
}

/** An attack or a fault: starts what it needs on loopback, ends it, and says what it saw. */
export type Trial = {
  title: string
  run(): Promise<Finding[]>
}
