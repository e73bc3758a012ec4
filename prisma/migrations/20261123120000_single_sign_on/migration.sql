-- Who signs in through the provider of single sign-on: issuer and subject name a person for ever.
CREATE TABLE "user_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("issuer", "subject")
);

-- One person of a provider for each user: another one with the same email is a stranger.
CREATE UNIQUE INDEX "user_identities_user_id_issuer_key" ON "user_identities" ("user_id", "issuer");

ALTER TABLE "user_identities"
    ADD CONSTRAINT "user_identities_user_id_fkey"
    FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What opens a session once: states of single sign-on that came back, and links of the command
-- line that were followed.
CREATE TABLE "used_sign_ins" (
    "id" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_sign_ins_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "used_sign_ins_expires_at_idx" ON "used_sign_ins" ("expires_at");
