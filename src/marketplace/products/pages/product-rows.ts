import { type ProductQuery, productConditions } from './product-query.ts'

/** How many products a text search looks through in the order of ids, for each one it may find. */
const LOOKED_THROUGH = 2

/** Which products of one party, and what is made of each. All texts are SQL. */
type ProductRows = {
  query: ProductQuery
  /** Number of the first SQL parameter that is free: the values of the query begin there. */
  firstParameter: number
  party: string
  /** Only products with a greater id. */
  after: string
  /** Of `products p`: the text of a product. */
  line: string
  limit: string
}

/**
 * SQL of the next products of a party in the order of ids, as `id` and `line`, and the values of its
 * parameters as texts.
 *
 * Two forms keep Postgres from going through the products of all parties by their primary key, which
 * it does where it expects more products of the party than there are: the party is an array of one,
 * and the order has the party in it, so that only indexes which begin with the party have that order.
 *
 * A text search first looks through the next products for as many as are asked for: a word that is
 * in every other product is found there. Any other word is looked for in the index of words, for
 * which `p.id + 0` is there: Postgres cannot tell how rare a word is, and would go through all
 * products of the party to get them in order.
 */
export function productRows({ query, firstParameter, party, after, line, limit }: ProductRows): {
  sql: string
  values: string[]
} {
  const { sql: conditions, values } = productConditions(query, firstParameter)
  const own = `p.party_id = ANY(ARRAY[${party}::int])`
  const inOrder = 'ORDER BY p.party_id, p.id'
  const next = `${own} AND p.id > ${after}`
  if (query.q === undefined) {
    const sql = `
      SELECT p.id, ${line} AS line FROM products p
      WHERE ${next}${conditions} ${inOrder} LIMIT ${limit}`
    return { sql, values }
  }
  const window = `${LOOKED_THROUGH} * ${limit}`
  const sql = `
    WITH near AS MATERIALIZED (
      SELECT p.id, ${line} AS line
      FROM (SELECT p.* FROM products p WHERE ${next} ${inOrder} LIMIT ${window}) AS p
      WHERE true${conditions} ${inOrder} LIMIT ${limit}
    ), beyond AS MATERIALIZED (
      SELECT p.id FROM products p
      WHERE ${next} AND (SELECT count(*) FROM near) < ${limit}
      ${inOrder} OFFSET ${window} - 1 LIMIT 1
    )
    SELECT id, line FROM near
    UNION ALL
    (SELECT p.id, ${line} AS line
     FROM (SELECT p.* FROM products p
       WHERE ${own} AND (SELECT id FROM beyond) IS NOT NULL
         AND p.id + 0 > (SELECT id FROM beyond)${conditions}
       ORDER BY p.id + 0 LIMIT ${limit}) AS p)
    ORDER BY id LIMIT ${limit}`
  return { sql, values }
}
