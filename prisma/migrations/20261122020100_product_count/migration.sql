-- The number of products of a party, whoever writes them: also the release before this one, which
-- knows nothing of it. Every statement's share is added to the row that the writers of a party
-- take turns on.
CREATE FUNCTION count_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE "parties" SET "product_count" = 0 WHERE "product_count" <> 0;
  ELSE
    UPDATE "parties" p SET "product_count" = p."product_count" + c."more"
    FROM (
      SELECT "party_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS "more"
      FROM "changed" GROUP BY "party_id"
    ) AS c
    WHERE p."id" = c."party_id";
  END IF;
  RETURN NULL;
END
$$;

-- No write comes between the count and the triggers. Parties first, as every writer does.
LOCK TABLE "parties" IN SHARE ROW EXCLUSIVE MODE;

CREATE TRIGGER "products_count_added"
  AFTER INSERT ON "products" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();

CREATE TRIGGER "products_count_removed"
  AFTER DELETE ON "products" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();

CREATE TRIGGER "products_count_truncated"
  AFTER TRUNCATE ON "products"
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();

CREATE TRIGGER "products_party_fixed"
  BEFORE UPDATE OF "party_id" ON "products"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Products that are there already
UPDATE "parties" p SET "product_count" = c."count"
FROM (SELECT "party_id", count(*) AS "count" FROM "products" GROUP BY "party_id") AS c
WHERE p."id" = c."party_id";
