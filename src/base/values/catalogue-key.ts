/** Longer lists of Sellers are named by two hashes: of the Sellers, and of them with their revisions. */
const KEY_MAX_LENGTH = 128

/**
 * SQL of the state of the catalogue that a party sees: the parties whose products it sees with
 * their revisions, such as `4:17` or `4:17,9:2`. Equal keys mean equal products, also for different
 * parties: every change of a product raises its party's revision in the same transaction, one after
 * the other, because each locks the row of the party.
 *
 * @param party alias of the row of `parties` that looks
 */
export function catalogueKey(party: string): string {
  const hashOf = (list: string) => `encode(sha256(convert_to(${list}, 'UTF8')), 'hex')`
  return `
    CASE WHEN ${party}.type = 'Buyer' THEN (
      SELECT CASE WHEN length(list) > ${KEY_MAX_LENGTH}
        THEN ${hashOf("regexp_replace(list, ':[0-9]+', '', 'g')")} || ':' || ${hashOf('list')}
        ELSE list END
      FROM (
        SELECT coalesce(
          string_agg(s.id || ':' || s.catalogue_revision, ',' ORDER BY s.id), '') AS list
        FROM connections c JOIN parties s ON s.id = c.seller_id
        WHERE c.buyer_id = ${party}.id
      ) AS sellers
    ) ELSE ${party}.id || ':' || ${party}.catalogue_revision END`
}

/** What names the parties of such a state without their revisions. */
export function partiesOf(catalogue: string): string {
  if (catalogue.includes(',')) return catalogue.replaceAll(/:\d+/g, '')
  return catalogue.slice(0, catalogue.lastIndexOf(':') >>> 0)
}
