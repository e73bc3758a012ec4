-- The second factor of a user: a secret that an authenticator app makes codes from (RFC 6238).
CREATE TABLE "second_factors" (
    "user_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "last_step" BIGINT,
    "guesses" INTEGER NOT NULL DEFAULT 0,
    "guesses_since" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("user_id")
);

ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Codes that stand in for the app, each for one use: it is deleted when it is used.
CREATE TABLE "recovery_codes" (
    "user_id" UUID NOT NULL,
    "code_sha256" BYTEA NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id", "code_sha256")
);

ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "second_factors" ("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- When the second factor was given last, and what a user recognises a session by. The id that is
-- shown is not the one that the cookie leads to.
ALTER TABLE "sessions"
    ADD COLUMN "factor_at" TIMESTAMPTZ(3),
    ADD COLUMN "public_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN "browser" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "network" TEXT NOT NULL DEFAULT '';

CREATE UNIQUE INDEX "sessions_public_id_key" ON "sessions" ("public_id");
