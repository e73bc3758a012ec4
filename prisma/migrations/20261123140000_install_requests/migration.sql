-- What members ask the admins of their account to install. A server of the release before makes none
-- and shows none; a membership that it ends takes its requests along.
CREATE TABLE "install_requests" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "party_id" INTEGER NOT NULL,
    "user_id" UUID NOT NULL,
    "app_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "purchase_option_id" TEXT NOT NULL,
    "user_settings" JSONB NOT NULL,
    "password_keys" TEXT[],
    "passwords" BYTEA,
    "consent" JSONB NOT NULL,
    "note" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "reason" TEXT,
    "installation_id" UUID,
    "decided_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "install_requests_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "install_requests_status_check"
        CHECK ("status" IN ('pending', 'accepted', 'declined', 'withdrawn')),
    CONSTRAINT "install_requests_decided_check" CHECK (
        ("status" = 'pending') = ("decided_at" IS NULL)
        AND ("status" = 'pending') = ("decided_by" IS NULL)
        AND ("status" = 'declined') = ("reason" IS NOT NULL)
        AND ("status" = 'accepted') = ("installation_id" IS NOT NULL)
    ),
    CONSTRAINT "install_requests_passwords_check" CHECK (
        "password_keys" IS NOT NULL
        AND ("status" = 'pending' AND cardinality("password_keys") > 0) = ("passwords" IS NOT NULL)
    )
);

CREATE UNIQUE INDEX "install_requests_pending_key" ON "install_requests" ("party_id", "app_id")
    WHERE "status" = 'pending';
CREATE INDEX "install_requests_party_id_created_at_id_idx"
    ON "install_requests" ("party_id", "created_at", "id");
CREATE INDEX "install_requests_user_id_party_id_created_at_id_idx"
    ON "install_requests" ("user_id", "party_id", "created_at", "id");
CREATE INDEX "install_requests_passwords_idx" ON "install_requests" ("id")
    WHERE "passwords" IS NOT NULL;

ALTER TABLE "install_requests"
    ADD CONSTRAINT "install_requests_user_id_party_id_fkey"
    FOREIGN KEY ("user_id", "party_id") REFERENCES "memberships" ("user_id", "party_id")
    ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "install_requests"
    ADD CONSTRAINT "install_requests_app_id_version_purchase_option_id_fkey"
    FOREIGN KEY ("app_id", "version", "purchase_option_id")
    REFERENCES "purchase_options" ("app_id", "version", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "install_requests"
    ADD CONSTRAINT "install_requests_installation_id_fkey"
    FOREIGN KEY ("installation_id") REFERENCES "installations" ("id")
    ON DELETE RESTRICT ON UPDATE CASCADE;
