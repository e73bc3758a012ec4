/** A secret that was reported: of which kind, for what, and when. */
export type RecentReport = {
  kind: string
  /** What a link was for; undefined for other secrets. */
  purpose: string | undefined
  subjectId: string
  at: Date
}
