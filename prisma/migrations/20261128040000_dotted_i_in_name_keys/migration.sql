-- The keys of app names take the dotted capital I for a plain one. Where two apps have names that
-- differ in nothing else, both keep theirs. A server of the release before makes keys with the dot,
-- and so takes such a name beside the plain one.
DO $$
BEGIN
  IF current_setting('server_encoding') = 'UTF8' THEN
    UPDATE "apps" a SET "name_key" = replace(a."name_key", U&'\0130', 'I')
    WHERE a."name_key" LIKE U&'%\0130%'
      AND NOT EXISTS (
        SELECT 1 FROM "apps" other
        WHERE other."id" <> a."id"
          AND replace(other."name_key", U&'\0130', 'I') = replace(a."name_key", U&'\0130', 'I')
      );
  END IF;
END
$$;
