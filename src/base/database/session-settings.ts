/**
 * What our statements rely on, whatever the database or the role has for defaults. Changes of one row
 * wait for each other and go on from the newest row, which a stricter isolation refuses; connections
 * wait for jobs and requests without a limit. Prisma's adapter sends and reads times without their
 * zone; `public` comes first, where the tables are, and keeps what is behind it, such as a schema of
 * extensions. A random page costs what it costs on flash, unless somebody has set a price: with
 * Postgres's own, which is that of a turning disk, a long page of a Seller's products came from the
 * products of all Sellers.
 */
export const SESSION_SETTINGS = `
  SET TimeZone = 'UTC';
  SET DateStyle = 'ISO';
  SET array_nulls = on;
  SET standard_conforming_strings = on;
  SET default_transaction_isolation = 'read committed';
  SET idle_session_timeout = 0;
  SELECT set_config('search_path', 'public, ' || current_setting('search_path'), false)
  WHERE current_setting('search_path') !~ '^public(,|$)';
  SELECT set_config('random_page_cost', '1.1', false)
  FROM pg_settings WHERE name = 'random_page_cost' AND source = 'default'`
