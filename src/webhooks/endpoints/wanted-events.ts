/**
 * SQL: whether an endpoint `w` is sent an event `e` of its app. A test goes to the endpoint that is
 * tested, whatever types it wants; of what happens to an endpoint the others are told.
 */
export const IS_WANTED = `CASE WHEN e.type = 'webhook.test' THEN w.id = e.endpoint_id
  ELSE w.id IS DISTINCT FROM e.endpoint_id
    AND (w.event_types = '{}' OR e.type = ANY (w.event_types)) END`
