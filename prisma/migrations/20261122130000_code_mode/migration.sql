-- Handing over a token by a code: what an app asks for, and the codes.

ALTER TABLE "apps"
  ADD COLUMN "token_delivery" TEXT NOT NULL DEFAULT 'token',
  ADD COLUMN "redirect_errors" TEXT NOT NULL DEFAULT 'page',
  ADD CONSTRAINT "apps_token_delivery_check" CHECK ("token_delivery" IN ('token', 'code')),
  ADD CONSTRAINT "apps_redirect_errors_check" CHECK ("redirect_errors" IN ('page', 'return'));

-- Kept until the token that was made of it has run out: a second use ends that token.
CREATE TABLE "authorization_codes" (
  "id" BYTEA NOT NULL,
  "jti" UUID NOT NULL DEFAULT gen_random_uuid(),
  "credential_id" UUID NOT NULL,
  "installation_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "token_generation" INTEGER NOT NULL,
  "user_generation" INTEGER NOT NULL,
  "membership_generation" INTEGER NOT NULL,
  "return_url" TEXT NOT NULL,
  "challenge" TEXT NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,
  "used_at" TIMESTAMPTZ(3),
  "forget_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "authorization_codes_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "authorization_codes_credential_id_fkey" FOREIGN KEY ("credential_id")
    REFERENCES "developer_credentials" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "authorization_codes_installation_id_fkey" FOREIGN KEY ("installation_id")
    REFERENCES "installations" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "authorization_codes_user_id_fkey" FOREIGN KEY ("user_id")
    REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE INDEX "authorization_codes_forget_at_idx" ON "authorization_codes" ("forget_at");
