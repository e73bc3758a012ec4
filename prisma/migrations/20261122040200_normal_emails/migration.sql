-- One address has one spelling (NFKC). Where two users have addresses that differ in nothing else,
-- both keep theirs and go on signing in with them; an operator can tell them apart by name.
DO $$
BEGIN
  IF current_setting('server_encoding') = 'UTF8' THEN
    UPDATE "users" u SET "email" = lower(normalize(u."email", NFKC))
    WHERE u."email" <> lower(normalize(u."email", NFKC))
      AND NOT EXISTS (
        SELECT 1 FROM "users" other
        WHERE other."id" <> u."id"
          AND lower(normalize(other."email", NFKC)) = lower(normalize(u."email", NFKC))
      );
  END IF;
END
$$;
