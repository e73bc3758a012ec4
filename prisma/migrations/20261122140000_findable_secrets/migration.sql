-- Secrets that were found where they do not belong are looked up by their SHA-256.

ALTER TABLE "developer_credentials" ADD COLUMN "secret_sha256" BYTEA;
CREATE UNIQUE INDEX "developer_credentials_secret_sha256_key"
  ON "developer_credentials" ("secret_sha256");

ALTER TABLE "webhook_endpoints"
  ADD COLUMN "secret_sha256" BYTEA,
  ADD COLUMN "previous_secret_sha256" BYTEA;
CREATE UNIQUE INDEX "webhook_endpoints_secret_sha256_key" ON "webhook_endpoints" ("secret_sha256");
CREATE UNIQUE INDEX "webhook_endpoints_previous_secret_sha256_key"
  ON "webhook_endpoints" ("previous_secret_sha256");

-- What happens to a credential belongs to no app.
ALTER TABLE "events" ALTER COLUMN "app_id" DROP NOT NULL;
