/** The operations of one tag: `GET /v1/Products`, what each does, and where it is documented. */
export type TaggedOperations = {
  tag: string
  operations: { address: string; summary: string; href: string }[]
}
