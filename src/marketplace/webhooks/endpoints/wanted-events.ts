/**
 * SQL: whether an endpoint `w` is sent an event `e` of its app. A test goes only to the tested
 * endpoint, whatever types it wants. Events about an endpoint go only to the others.
 */
export const IS_WANTED = `CASE WHEN e.type = 'webhook.test' THEN w.id = e.endpoint_id
  ELSE w.id IS DISTINCT FROM e.endpoint_id
    AND (w.event_types = '{}' OR e.type = ANY (w.event_types)) END`
