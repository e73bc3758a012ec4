/**
 * What our statements rely on, whatever the database or the role has for defaults. Prisma's adapter
 * sends and reads times without their zone; `public` comes first, where the tables are, and keeps what
 * is behind it, such as a schema of extensions.
 */
export const SESSION_SETTINGS = `
  SET TimeZone = 'UTC';
  SET DateStyle = 'ISO';
  SET array_nulls = on;
  SET standard_conforming_strings = on;
  SELECT set_config('search_path', 'public, ' || current_setting('search_path'), false)
  WHERE current_setting('search_path') !~ '^public(,|$)'`
