/** A secret that was reported: of which kind, for what, and when. */
export type RecentReport = { kind: string; subjectId: string; at: Date }
