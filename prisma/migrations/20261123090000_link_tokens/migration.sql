-- Links for one use: invitations, new passwords, changes of an email. A server of the release before
-- makes none and takes none.
CREATE TYPE "LinkPurpose" AS ENUM ('invitation', 'password_reset', 'email_change');

CREATE TABLE "link_tokens" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "purpose" "LinkPurpose" NOT NULL,
    "email" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "secret_sha256" BYTEA,
    "grants" JSONB NOT NULL,
    "user_id" UUID,
    "created_by_kind" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_tokens_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "link_tokens_user_check" CHECK (("purpose" = 'invitation') = ("user_id" IS NULL))
);

-- A newer link ends the older one before it is written.
CREATE UNIQUE INDEX "link_tokens_open_key" ON "link_tokens" ("purpose", "email", "scope")
    WHERE "used_at" IS NULL AND "ended_at" IS NULL;
CREATE UNIQUE INDEX "link_tokens_secret_sha256_key" ON "link_tokens" ("secret_sha256");
CREATE INDEX "link_tokens_created_at_id_idx" ON "link_tokens" ("created_at", "id");
CREATE INDEX "link_tokens_scope_created_at_idx" ON "link_tokens" ("scope", "created_at");
CREATE INDEX "link_tokens_user_id_idx" ON "link_tokens" ("user_id");
CREATE INDEX "link_tokens_expires_at_idx" ON "link_tokens" ("expires_at");

ALTER TABLE "link_tokens"
    ADD CONSTRAINT "link_tokens_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
