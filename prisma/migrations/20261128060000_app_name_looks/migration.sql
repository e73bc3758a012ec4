-- Finds the oldest app whose name differs from another only in spaces, hyphens, dots, and digits that
-- look like letters. The expression is the one of operator-apps-service.ts.
CREATE INDEX apps_looks_search_idx
  ON apps (translate(name_key, '01L -_.,·''‐‑‒–—―‘’', 'OII'), created_at, id)
  WHERE deleted_at IS NULL;
