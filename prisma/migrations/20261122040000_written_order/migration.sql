-- jsonb sorts the keys of an object; json keeps them as they were written. What is stored already
-- stays in the order that it has.
ALTER TABLE "app_versions" ALTER COLUMN "settings" TYPE json USING "settings"::json;

-- Place of the option in the definition, from 0; the former release writes none.
ALTER TABLE "purchase_options" ADD COLUMN "position" INTEGER NOT NULL DEFAULT 0;
