-- What a user may do for a party. Everybody could do everything until now.
CREATE TYPE "PartyRole" AS ENUM ('member', 'admin');

ALTER TABLE "memberships" ADD COLUMN "role" "PartyRole" NOT NULL DEFAULT 'admin';

-- People who work for a developer with a sign-in of their own.
CREATE TYPE "DeveloperRole" AS ENUM ('member', 'owner');

CREATE TABLE "developer_members" (
    "developer_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "DeveloperRole" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "developer_members_pkey" PRIMARY KEY ("developer_id", "user_id")
);

CREATE INDEX "developer_members_user_id_idx" ON "developer_members" ("user_id");

ALTER TABLE "developer_members"
    ADD CONSTRAINT "developer_members_developer_id_fkey"
    FOREIGN KEY ("developer_id") REFERENCES "developers" ("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "developer_members"
    ADD CONSTRAINT "developer_members_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Who may look at what operators see, but change nothing. A server of the release before knows no
-- such people: to it they are users without any right of an operator.
ALTER TABLE "users" ADD COLUMN "support" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "users" ADD CONSTRAINT "users_support_check" CHECK (NOT ("operator" AND "support"));
