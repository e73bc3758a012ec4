-- Names, keys of products and what is searched are kept in NFC, with plain spaces. What is there
-- already gets this form. Where two products of an account would then have the same brand and part
-- number, both stay as they are: only their account knows which of them to delete. Invisible
-- characters stay, too.
DO $$
DECLARE
  -- Zs of Unicode without U+0020.
  spaces text;
  plain text;
BEGIN
  IF current_setting('server_encoding') <> 'UTF8' THEN
    RETURN;
  END IF;
  spaces := U&'\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\202F\205F\3000';
  plain := repeat(' ', 16);

  UPDATE "users" SET "name" = translate(normalize("name", NFC), spaces, plain)
  WHERE "name" <> translate(normalize("name", NFC), spaces, plain);
  UPDATE "developers" SET "name" = translate(normalize("name", NFC), spaces, plain)
  WHERE "name" <> translate(normalize("name", NFC), spaces, plain);
  UPDATE "parties" SET "name" = translate(normalize("name", NFC), spaces, plain)
  WHERE "name" <> translate(normalize("name", NFC), spaces, plain);
  UPDATE "apps" SET "name" = translate(normalize("name", NFC), spaces, plain),
    "description" = normalize("description", NFC), "revision" = "revision" + 1
  WHERE "name" <> translate(normalize("name", NFC), spaces, plain)
    OR "description" IS NOT NFC NORMALIZED;

  -- Each changed product is a change of its account's catalogue, which its readers are told of.
  CREATE TEMPORARY TABLE "written_otherwise" ON COMMIT DROP AS
    SELECT p."id", p."party_id", p."body", f."brand", f."part_number", f."short_description"
    FROM "products" p, LATERAL (
      SELECT translate(normalize(p."brand", NFC), spaces, plain) AS "brand",
        translate(normalize(p."part_number", NFC), spaces, plain) AS "part_number",
        normalize(p."short_description", NFC) AS "short_description"
    ) AS f
    -- ASCII has one form.
    WHERE octet_length(p."body") > char_length(p."body") AND (
      p."brand" <> f."brand" OR p."part_number" <> f."part_number"
      OR p."short_description" <> f."short_description");
  -- Other writings of one key, and the product that has it already.
  DELETE FROM "written_otherwise" w USING "products" other
  WHERE other."party_id" = w."party_id" AND other."id" <> w."id"
    AND other."brand" = w."brand" AND other."part_number" = w."part_number";
  DELETE FROM "written_otherwise" w USING "written_otherwise" other
  WHERE other."party_id" = w."party_id" AND other."id" <> w."id"
    AND other."brand" = w."brand" AND other."part_number" = w."part_number";

  -- Whoever writes products has the row of the account, so that none of them changes from here on.
  UPDATE "parties" p SET "catalogue_revision" = p."catalogue_revision" + 1
  FROM (SELECT DISTINCT "party_id" FROM "written_otherwise") AS changed
  WHERE p."id" = changed."party_id";
  UPDATE "products" p SET
    "brand" = w."brand", "part_number" = w."part_number",
    "short_description" = w."short_description",
    "body" = concat('"brand":', to_json(w."brand"), ',"partNumber":', to_json(w."part_number"),
      ',"inStock":', p."in_stock",
      ',"shortDescription":', coalesce(to_json(w."short_description")::text, 'null'),
      ',"msrp":', coalesce(trim_scale(p."msrp")::text, 'null'),
      ',"mapPrice":', coalesce(trim_scale(p."map_price")::text, 'null'),
      ',"upc":', coalesce(to_json(p."upc")::text, 'null'), '}'),
    "revision" = owner."catalogue_revision", "updated_at" = now()
  FROM "written_otherwise" w JOIN "parties" owner ON owner."id" = w."party_id"
  WHERE p."id" = w."id" AND p."body" = w."body";
END
$$;
