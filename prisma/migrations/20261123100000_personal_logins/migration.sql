-- The developer that a session's pages of the developer console are about. Whether the user still
-- works for it is asked whenever it is used.
ALTER TABLE "sessions" ADD COLUMN "developer_id" UUID;
ALTER TABLE "sessions"
    ADD CONSTRAINT "sessions_developer_id_fkey"
    FOREIGN KEY ("developer_id") REFERENCES "developers" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A user who did something for a developer: not as somebody of an account.
ALTER TABLE "audit_events" ADD COLUMN "actor_developer_id" UUID;
