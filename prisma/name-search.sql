-- The indexes for searches for a part of a name, where the extension pg_trgm was missing when the
-- database was made. Whoever runs it again makes what is missing.
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
