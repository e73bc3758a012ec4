/** A secret that was reported: of which kind, for what, and when. */
export type RecentReport = {
  kind: string
  /** Of a link: what it was for. */
  purpose: string | undefined
  subjectId: string
  at: Date
}
