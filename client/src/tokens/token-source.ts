/** Where the bearer token of a request comes from. */
export type TokenSource = {
  /** A token that is good, as far as one knows here. */
  get(): Promise<string>
  /** Tells that the marketplace has refused a token. */
  refused(token: string): void
}
