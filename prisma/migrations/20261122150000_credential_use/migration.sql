-- When a credential was last signed in with, to the minute; empty while it never was.
ALTER TABLE "developer_credentials" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);
