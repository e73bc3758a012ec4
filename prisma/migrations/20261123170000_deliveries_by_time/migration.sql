-- The deliveries of an endpoint that were made since a time.
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_idx"
    ON "webhook_deliveries" ("endpoint_id", "created_at");
