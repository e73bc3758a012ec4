-- The place in a trace (W3C Trace Context) that the change belonged to; sent on with its deliveries.
ALTER TABLE "events" ADD COLUMN "traceparent" TEXT;
