/** How long events are kept, and with them their deliveries. */
export const EVENTS_KEPT_DAYS = 30
