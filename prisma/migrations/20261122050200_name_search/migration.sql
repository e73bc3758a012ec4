-- Parties by their whole name, in capitals or not.
CREATE INDEX IF NOT EXISTS "parties_lower_name_search_idx" ON "parties" (lower("name"));

-- Searches for a part of a name. They need the extension pg_trgm, which is a trusted one: whoever
-- may create objects in the database may create it. Where it cannot be had, searches work without
-- these indexes and read the whole table; the server says so when it starts, and the README how
-- they are made later.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR invalid_schema_name THEN
    RAISE WARNING 'The extension pg_trgm cannot be created: %', SQLERRM;
END
$$;

DO $$
DECLARE
  -- The extension may stand in any schema.
  operators text := (
    SELECT format('%I.gin_trgm_ops', n.nspname)
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'pg_trgm'
  );
  searched record;
BEGIN
  IF operators IS NULL THEN
    RETURN;
  END IF;
  FOR searched IN
    SELECT * FROM (VALUES
      ('parties', 'name'), ('users', 'name'), ('users', 'email'), ('developers', 'name'),
      ('apps', 'id'), ('apps', 'name'), ('apps', 'description')
    ) AS searched (of_table, of_column)
  LOOP
    EXECUTE format(
      'CREATE INDEX IF NOT EXISTS %I ON %I USING gin (%I %s)',
      searched.of_table || '_' || searched.of_column || '_search_idx',
      searched.of_table, searched.of_column, operators
    );
  END LOOP;
END
$$;
