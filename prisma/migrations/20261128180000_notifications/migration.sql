-- What people are told of, and what of it they get by mail.

-- There is no foreign key to the user. It would let a change that tells somebody of it wait for the
-- user's row, which comes first in the order of locks. Users stay when they are removed; their
-- notifications are deleted then.
CREATE TABLE "notifications" (
    "id" BIGSERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "party_id" INTEGER,
    "developer_id" UUID,
    "app_id" TEXT,
    "subject_id" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "to_mail" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "notifications_to_mail_check" CHECK (NOT ("to_mail" AND "read_at" IS NOT NULL))
);
CREATE INDEX "notifications_user_id_id_idx" ON "notifications" ("user_id", "id");
CREATE INDEX "notifications_unread_idx" ON "notifications" ("user_id") WHERE (read_at IS NULL);
CREATE INDEX "notifications_to_mail_idx" ON "notifications" ("user_id") WHERE to_mail;

ALTER TABLE "users"
    ADD COLUMN "notification_mails" JSONB NOT NULL DEFAULT '{}',
    ADD COLUMN "notifications_mailed_at" TIMESTAMPTZ(3);

UPDATE "schema_release" SET "version" = '20261128180000_notifications';
