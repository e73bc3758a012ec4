-- Words of brand, part number and short description; the expression stands in src/products/query.ts
CREATE INDEX "products_text_search_idx" ON "products" USING gin (
  to_tsvector('simple'::regconfig, translate("brand" || ' ' || "part_number" || ' ' || COALESCE("short_description", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))
);
