/** Where the bearer token of a request comes from. */
export type TokenSource = {
  /** A token that is good as far as the source knows. */
  get(): Promise<string>
  /** Called when the marketplace has refused a token. */
  refused(token: string): void
}
