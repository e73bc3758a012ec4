-- The schema of release 0.1.0. What each table and column is for stands in prisma/schema.prisma. The
-- rules that it cannot express stand here.

CREATE TYPE "PartyType" AS ENUM ('Buyer', 'Seller', 'None');
CREATE TYPE "PartyRole" AS ENUM ('member', 'admin');
CREATE TYPE "DeveloperRole" AS ENUM ('member', 'owner');
CREATE TYPE "LinkPurpose" AS ENUM ('invitation', 'password_reset', 'email_change', 'sign_in');
CREATE TYPE "PricingModel" AS ENUM ('FlatMonthly', 'FlatAnnual', 'TieredBuckets');
CREATE TYPE "InstallationStatus" AS ENUM ('active', 'suspended', 'uninstalled');
CREATE TYPE "SettingScope" AS ENUM ('user', 'admin');

-- Accounts, developers and people

CREATE TABLE "parties" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" "PartyType" NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_reason" TEXT,
    "catalogue_revision" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "feed_from_revision" BIGINT NOT NULL DEFAULT 0,
    "product_count" INTEGER NOT NULL DEFAULT 0,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "parties_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "parties_closed_check" CHECK ("closed_at" IS NULL OR "suspended_at" IS NOT NULL)
);
CREATE UNIQUE INDEX "parties_id_type_key" ON "parties" ("id", "type");
CREATE INDEX "parties_type_id_idx" ON "parties" ("type", "id");
-- Parties by their whole name, in capitals or not.
CREATE INDEX "parties_lower_name_search_idx" ON "parties" (lower("name"));
CREATE INDEX "parties_suspended_closed_idx" ON "parties" ("id", "closed_at")
    WHERE (suspended_at IS NOT NULL);

CREATE TABLE "connections" (
    "buyer_id" INTEGER NOT NULL,
    "buyer_type" "PartyType" NOT NULL DEFAULT 'Buyer',
    "seller_id" INTEGER NOT NULL,
    "seller_type" "PartyType" NOT NULL DEFAULT 'Seller',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("buyer_id", "seller_id"),
    CONSTRAINT "connections_buyer_id_buyer_type_fkey"
        FOREIGN KEY ("buyer_id", "buyer_type") REFERENCES "parties" ("id", "type")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "connections_seller_id_seller_type_fkey"
        FOREIGN KEY ("seller_id", "seller_type") REFERENCES "parties" ("id", "type")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "connections_types_check" CHECK ("buyer_type" = 'Buyer' AND "seller_type" = 'Seller')
);
CREATE INDEX "connections_seller_id_buyer_id_idx" ON "connections" ("seller_id", "buyer_id");

CREATE TABLE "developers" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "sandbox_party_id" INTEGER NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "closed_at" TIMESTAMPTZ(3),

    CONSTRAINT "developers_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "developers_sandbox_party_id_fkey"
        FOREIGN KEY ("sandbox_party_id") REFERENCES "parties" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "developers_closed_check" CHECK ("closed_at" IS NULL OR "suspended_at" IS NOT NULL)
);
CREATE UNIQUE INDEX "developers_sandbox_party_id_key" ON "developers" ("sandbox_party_id");
CREATE INDEX "developers_created_at_id_idx" ON "developers" ("created_at", "id");
CREATE INDEX "developers_suspended_closed_idx" ON "developers" ("created_at", "id", "closed_at")
    WHERE (suspended_at IS NOT NULL);

CREATE TABLE "developer_credentials" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "developer_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "slot" SMALLINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),
    "secret_sha256" BYTEA,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "developer_credentials_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "developer_credentials_developer_id_fkey"
        FOREIGN KEY ("developer_id") REFERENCES "developers" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "developer_credentials_slot_check" CHECK ("slot" IN (1, 2)),
    CONSTRAINT "developer_credentials_removed_check"
        CHECK (("slot" IS NULL) = ("removed_at" IS NOT NULL))
);
CREATE UNIQUE INDEX "developer_credentials_client_id_key" ON "developer_credentials" ("client_id");
CREATE UNIQUE INDEX "developer_credentials_developer_id_slot_key"
    ON "developer_credentials" ("developer_id", "slot");
CREATE UNIQUE INDEX "developer_credentials_secret_sha256_key"
    ON "developer_credentials" ("secret_sha256");

CREATE TABLE "users" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "operator" BOOLEAN NOT NULL DEFAULT false,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "token_generation" INTEGER NOT NULL DEFAULT 0,
    "support" BOOLEAN NOT NULL DEFAULT false,
    "removed_at" TIMESTAMPTZ(3),
    "email_proved" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "users_email_check" CHECK ("email" = lower(btrim("email")) AND "email" <> ''),
    CONSTRAINT "users_support_check" CHECK (NOT ("operator" AND "support")),
    CONSTRAINT "users_removed_check"
        CHECK ("removed_at" IS NULL OR ("suspended_at" IS NOT NULL
            AND NOT "operator" AND NOT "support"))
);
CREATE UNIQUE INDEX "users_email_key" ON "users" ("email");
CREATE INDEX "users_created_at_id_removed_at_idx" ON "users" ("created_at", "id", "removed_at");
CREATE INDEX "users_suspended_removed_idx" ON "users" ("created_at", "id", "removed_at")
    WHERE (suspended_at IS NOT NULL);

CREATE TABLE "memberships" (
    "user_id" UUID NOT NULL,
    "party_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Another one for each membership: tokens of an ended one stay dead when the user joins again.
    "generation" SERIAL NOT NULL,
    "role" "PartyRole" NOT NULL DEFAULT 'admin',

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id", "party_id"),
    CONSTRAINT "memberships_party_id_fkey"
        FOREIGN KEY ("party_id") REFERENCES "parties" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "memberships_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "memberships_party_id_idx" ON "memberships" ("party_id");

CREATE TABLE "developer_members" (
    "developer_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" "DeveloperRole" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- Another one for each membership: tokens of an ended one stay dead when the user joins again.
    "generation" SERIAL NOT NULL,

    CONSTRAINT "developer_members_pkey" PRIMARY KEY ("developer_id", "user_id"),
    CONSTRAINT "developer_members_developer_id_fkey"
        FOREIGN KEY ("developer_id") REFERENCES "developers" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "developer_members_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "developer_members_user_id_idx" ON "developer_members" ("user_id");

-- Signing in

CREATE TABLE "sessions" (
    "id" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "party_id" INTEGER,
    "developer_id" UUID,
    "factor_at" TIMESTAMPTZ(3),
    "public_id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "browser" TEXT NOT NULL DEFAULT '',
    "network" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "sessions_developer_id_fkey"
        FOREIGN KEY ("developer_id") REFERENCES "developers" ("id")
        ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "sessions_party_id_fkey"
        FOREIGN KEY ("party_id") REFERENCES "parties" ("id") ON DELETE SET NULL ON UPDATE CASCADE,
    CONSTRAINT "sessions_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "sessions_user_id_idx" ON "sessions" ("user_id");
CREATE INDEX "sessions_expires_at_idx" ON "sessions" ("expires_at");
CREATE UNIQUE INDEX "sessions_public_id_key" ON "sessions" ("public_id");

CREATE TABLE "developer_sessions" (
    "id" BYTEA NOT NULL,
    "credential_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "developer_sessions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "developer_sessions_credential_id_fkey"
        FOREIGN KEY ("credential_id") REFERENCES "developer_credentials" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "developer_sessions_credential_id_idx" ON "developer_sessions" ("credential_id");
CREATE INDEX "developer_sessions_expires_at_idx" ON "developer_sessions" ("expires_at");

CREATE TABLE "second_factors" (
    "user_id" UUID NOT NULL,
    "secret" BYTEA NOT NULL,
    "last_step" BIGINT,
    "guesses" INTEGER NOT NULL DEFAULT 0,
    "guesses_since" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "second_factors_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "recovery_codes" (
    "user_id" UUID NOT NULL,
    "code_sha256" BYTEA NOT NULL,

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("user_id", "code_sha256"),
    CONSTRAINT "recovery_codes_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "second_factors" ("user_id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "user_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_identities_pkey" PRIMARY KEY ("issuer", "subject"),
    CONSTRAINT "user_identities_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
-- One person of a provider for each user: another one with the same email is a stranger.
CREATE UNIQUE INDEX "user_identities_user_id_issuer_key" ON "user_identities" ("user_id", "issuer");

CREATE TABLE "used_sign_ins" (
    "id" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_sign_ins_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "used_sign_ins_expires_at_idx" ON "used_sign_ins" ("expires_at");

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
    "mailed" BOOLEAN NOT NULL DEFAULT false,
    "mail_refused_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_tokens_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "link_tokens_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
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

CREATE TABLE "login_failures" (
    "key" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL,
    "under_way" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "login_failures_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "login_failures_window_start_idx" ON "login_failures" ("window_start");

CREATE TABLE "familiar_networks" (
    "who" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "familiar_networks_pkey" PRIMARY KEY ("who", "network")
);
CREATE INDEX "familiar_networks_last_used_at_idx" ON "familiar_networks" ("last_used_at");

CREATE TABLE "kept_forms" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID,
    "developer_id" UUID,
    "sealed" BYTEA NOT NULL,
    "once" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_forms_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "kept_forms_developer_id_fkey"
        FOREIGN KEY ("developer_id") REFERENCES "developers" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "kept_forms_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "kept_forms_owner_check" CHECK (
        num_nonnulls("user_id", "developer_id") = 1
        OR ("once" AND num_nonnulls("user_id", "developer_id") = 0)
    )
);
CREATE INDEX "kept_forms_user_id_idx" ON "kept_forms" ("user_id");
CREATE INDEX "kept_forms_developer_id_idx" ON "kept_forms" ("developer_id");
CREATE INDEX "kept_forms_expires_at_idx" ON "kept_forms" ("expires_at");

-- Apps

CREATE TABLE "apps" (
    "id" TEXT NOT NULL,
    "developer_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT,
    "description" TEXT NOT NULL DEFAULT '',
    "party_types" "PartyType"[],
    "version" TEXT,
    "auth_return_url" TEXT,
    "website_url" TEXT,
    "support_url" TEXT,
    "listed" BOOLEAN NOT NULL DEFAULT false,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_reason" TEXT,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "token_delivery" TEXT NOT NULL DEFAULT 'token',
    "redirect_errors" TEXT NOT NULL DEFAULT 'page',

    CONSTRAINT "apps_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "apps_developer_id_fkey"
        FOREIGN KEY ("developer_id") REFERENCES "developers" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "apps_id_check"
        CHECK ("id" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length("id") BETWEEN 2 AND 64),
    CONSTRAINT "apps_party_types_check" CHECK (
        cardinality("party_types") > 0 AND "party_types" <@ ARRAY['Buyer', 'Seller']::"PartyType"[]
    ),
    CONSTRAINT "apps_name_key_check" CHECK (("name_key" IS NULL) = ("deleted_at" IS NOT NULL)),
    CONSTRAINT "apps_deleted_check" CHECK ("deleted_at" IS NULL OR NOT "listed"),
    -- Lists are never null; schema.prisma cannot say so.
    CONSTRAINT "apps_party_types_null_check" CHECK ("party_types" IS NOT NULL),
    CONSTRAINT "apps_token_delivery_check" CHECK ("token_delivery" IN ('token', 'code')),
    CONSTRAINT "apps_redirect_errors_check" CHECK ("redirect_errors" IN ('page', 'return'))
);
CREATE UNIQUE INDEX "apps_name_key_key" ON "apps" ("name_key");
CREATE UNIQUE INDEX "apps_id_developer_id_key" ON "apps" ("id", "developer_id");
CREATE UNIQUE INDEX "apps_id_version_key" ON "apps" ("id", "version");
CREATE INDEX "apps_kept_idx" ON "apps" ("id") WHERE (deleted_at IS NULL);
CREATE INDEX "apps_listed_idx" ON "apps" ("id")
    WHERE (listed AND (suspended_at IS NULL) AND (deleted_at IS NULL));
CREATE INDEX "apps_suspended_idx" ON "apps" ("id")
    WHERE ((suspended_at IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX "apps_developer_kept_idx" ON "apps" ("developer_id", "id") WHERE (deleted_at IS NULL);
CREATE INDEX "apps_party_types_idx" ON "apps" USING GIN ("party_types");
-- Finds the oldest app whose name differs from another only in spaces, hyphens, dots, and digits that
-- look like letters. The expression is the one of operator-apps-service.ts.
CREATE INDEX "apps_looks_search_idx"
    ON "apps" (translate("name_key", '01L -_.,·''‐‑‒–—―‘’', 'OII'), "created_at", "id")
    WHERE (deleted_at IS NULL);

CREATE TABLE "terms_documents" (
    "app_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "terms_documents_pkey" PRIMARY KEY ("app_id", "sha256"),
    CONSTRAINT "terms_documents_app_id_fkey"
        FOREIGN KEY ("app_id") REFERENCES "apps" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "terms_documents_size_check" CHECK ("size" = octet_length("content"))
);

CREATE TABLE "app_versions" (
    "app_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "permissions" JSONB NOT NULL,
    -- jsonb sorts the keys of an object; json keeps them as they were written.
    "settings" JSON NOT NULL,
    "acknowledgements" JSONB NOT NULL,
    "terms_sha256" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_versions_pkey" PRIMARY KEY ("app_id", "version"),
    CONSTRAINT "app_versions_app_id_fkey"
        FOREIGN KEY ("app_id") REFERENCES "apps" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "app_versions_app_id_terms_sha256_fkey"
        FOREIGN KEY ("app_id", "terms_sha256") REFERENCES "terms_documents" ("app_id", "sha256")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "app_versions_version_check" CHECK (length("version") BETWEEN 1 AND 64),
    CONSTRAINT "app_versions_sequence_check" CHECK ("sequence" > 0)
);
CREATE UNIQUE INDEX "app_versions_app_id_sequence_key" ON "app_versions" ("app_id", "sequence");

-- The version that is published now: each of both tables names the other one.
ALTER TABLE "apps"
    ADD CONSTRAINT "apps_id_version_fkey"
        FOREIGN KEY ("id", "version") REFERENCES "app_versions" ("app_id", "version");

CREATE TABLE "purchase_options" (
    "app_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "pricing_model" "PricingModel" NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "monthly_rate_minor" BIGINT,
    "bucket_size" INTEGER,
    "rate_per_bucket_minor" BIGINT,
    "base_fee_minor" BIGINT,
    "order" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "position" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "purchase_options_pkey" PRIMARY KEY ("app_id", "version", "id"),
    CONSTRAINT "purchase_options_app_id_version_fkey"
        FOREIGN KEY ("app_id", "version") REFERENCES "app_versions" ("app_id", "version")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "purchase_options_amounts_check" CHECK (
        CASE "pricing_model"
          WHEN 'TieredBuckets' THEN
            "monthly_rate_minor" IS NULL AND "bucket_size" > 0
            AND "rate_per_bucket_minor" >= 0 AND "base_fee_minor" >= 0
          ELSE
            "monthly_rate_minor" >= 0 AND "bucket_size" IS NULL
            AND "rate_per_bucket_minor" IS NULL AND "base_fee_minor" IS NULL
        END IS TRUE
    )
);

-- Installations

CREATE TABLE "installations" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "app_id" TEXT NOT NULL,
    "developer_id" UUID NOT NULL,
    "party_id" INTEGER NOT NULL,
    "party_type" "PartyType" NOT NULL,
    "purchase_option_id" TEXT NOT NULL,
    "installed_version" TEXT NOT NULL,
    "permissions" TEXT[],
    "status" "InstallationStatus" NOT NULL DEFAULT 'active',
    "live" BOOLEAN DEFAULT true,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_reason" TEXT,
    "uninstalled_at" TIMESTAMPTZ(3),
    "token_generation" INTEGER NOT NULL DEFAULT 0,
    "install_date" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "suspended_by" TEXT,
    "event_sequence" INTEGER NOT NULL DEFAULT 0,
    "body" TEXT NOT NULL DEFAULT '',
    "has_passwords" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "installations_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "installations_app_id_developer_id_fkey"
        FOREIGN KEY ("app_id", "developer_id") REFERENCES "apps" ("id", "developer_id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "installations_app_id_installed_version_purchase_option_id_fkey"
        FOREIGN KEY ("app_id", "installed_version", "purchase_option_id")
        REFERENCES "purchase_options" ("app_id", "version", "id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "installations_party_id_party_type_fkey"
        FOREIGN KEY ("party_id", "party_type") REFERENCES "parties" ("id", "type")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "installations_live_check" CHECK (
        ("status" = 'uninstalled') = ("live" IS NULL) AND "live" IS NOT FALSE
    ),
    CONSTRAINT "installations_suspended_check"
        CHECK ("status" <> 'suspended' OR "suspended_at" IS NOT NULL),
    CONSTRAINT "installations_uninstalled_check"
        CHECK (("status" = 'uninstalled') = ("uninstalled_at" IS NOT NULL)),
    CONSTRAINT "installations_suspended_by_check"
        CHECK ("suspended_by" IN ('developer', 'operator')),
    -- Lists are never null; schema.prisma cannot say so.
    CONSTRAINT "installations_permissions_null_check" CHECK ("permissions" IS NOT NULL)
);
CREATE INDEX "installations_developer_id_install_date_id_idx"
    ON "installations" ("developer_id", "install_date", "id");
CREATE INDEX "installations_party_id_install_date_id_idx"
    ON "installations" ("party_id", "install_date", "id");
CREATE UNIQUE INDEX "installations_app_id_party_id_live_key"
    ON "installations" ("app_id", "party_id", "live");
CREATE INDEX "installations_live_idx" ON "installations" ("install_date", "id") WHERE (live);
CREATE INDEX "installations_developer_live_idx"
    ON "installations" ("developer_id", "install_date", "id") WHERE (live);
CREATE INDEX "installations_developer_type_live_idx"
    ON "installations" ("developer_id", "party_type", "install_date", "id") WHERE (live);
CREATE INDEX "installations_app_live_idx" ON "installations" ("app_id", "install_date", "id")
    WHERE (live);
CREATE INDEX "installations_status_install_date_id_idx"
    ON "installations" ("status", "install_date", "id");
CREATE INDEX "installations_developer_id_status_install_date_id_idx"
    ON "installations" ("developer_id", "status", "install_date", "id");
CREATE INDEX "installations_app_id_status_install_date_id_idx"
    ON "installations" ("app_id", "status", "install_date", "id");
CREATE INDEX "installations_developer_id_updated_at_idx"
    ON "installations" ("developer_id", "updated_at");
CREATE INDEX "installations_version_live_idx" ON "installations" ("app_id", "installed_version")
    WHERE (live);

CREATE TABLE "setting_values" (
    "installation_id" UUID NOT NULL,
    "scope" "SettingScope" NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB,
    "secret" BYTEA,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setting_values_pkey" PRIMARY KEY ("installation_id", "scope", "key"),
    CONSTRAINT "setting_values_installation_id_fkey"
        FOREIGN KEY ("installation_id") REFERENCES "installations" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "setting_values_one_check" CHECK (("value" IS NULL) <> ("secret" IS NULL))
);

CREATE TABLE "lifted_suspensions" (
    "installation_id" UUID NOT NULL,
    "lifted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lifted_suspensions_pkey" PRIMARY KEY ("installation_id"),
    CONSTRAINT "lifted_suspensions_installation_id_fkey"
        FOREIGN KEY ("installation_id") REFERENCES "installations" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "acceptances" (
    "id" BIGSERIAL NOT NULL,
    "installation_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "subject_id" TEXT,
    "sha256" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "address" TEXT,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "acceptances_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "acceptances_installation_id_fkey"
        FOREIGN KEY ("installation_id") REFERENCES "installations" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "acceptances_kind_check" CHECK ("kind" IN ('acknowledgement', 'terms'))
);
CREATE INDEX "acceptances_installation_id_idx" ON "acceptances" ("installation_id");
-- What one person accepted, for the export of that person's data.
CREATE INDEX "acceptances_actor_id_id_idx" ON "acceptances" ("actor_id", "id");

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
    CONSTRAINT "install_requests_app_id_version_purchase_option_id_fkey"
        FOREIGN KEY ("app_id", "version", "purchase_option_id")
        REFERENCES "purchase_options" ("app_id", "version", "id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "install_requests_installation_id_fkey"
        FOREIGN KEY ("installation_id") REFERENCES "installations" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "install_requests_user_id_party_id_fkey"
        FOREIGN KEY ("user_id", "party_id") REFERENCES "memberships" ("user_id", "party_id")
        ON DELETE CASCADE ON UPDATE CASCADE,
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

-- Tokens

CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sign_from" TIMESTAMPTZ(3) NOT NULL,
    "verify_until" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

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
    "scope" TEXT,

    CONSTRAINT "authorization_codes_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "authorization_codes_credential_id_fkey"
        FOREIGN KEY ("credential_id") REFERENCES "developer_credentials" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "authorization_codes_installation_id_fkey"
        FOREIGN KEY ("installation_id") REFERENCES "installations" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "authorization_codes_user_id_fkey"
        FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "authorization_codes_forget_at_idx" ON "authorization_codes" ("forget_at");

CREATE TABLE "revoked_tokens" (
    "jti" UUID NOT NULL,
    "revoked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoked_tokens_pkey" PRIMARY KEY ("jti")
);
CREATE INDEX "revoked_tokens_expires_at_idx" ON "revoked_tokens" ("expires_at");

-- Products

CREATE TABLE "products" (
    "id" BIGSERIAL NOT NULL,
    "party_id" INTEGER NOT NULL,
    "brand" TEXT NOT NULL,
    "part_number" TEXT NOT NULL,
    "in_stock" INTEGER NOT NULL,
    "short_description" TEXT,
    "msrp" DECIMAL(14,2),
    "map_price" DECIMAL(14,2),
    "upc" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "body" TEXT NOT NULL,
    "revision" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "products_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "products_party_id_fkey"
        FOREIGN KEY ("party_id") REFERENCES "parties" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "products_keys_check" CHECK ("brand" <> '' AND "part_number" <> ''),
    CONSTRAINT "products_amounts_check" CHECK ("in_stock" >= 0 AND "msrp" >= 0 AND "map_price" >= 0)
);
CREATE INDEX "products_party_id_id_idx" ON "products" ("party_id", "id");
CREATE INDEX "products_party_id_part_number_id_idx" ON "products" ("party_id", "part_number", "id");
CREATE INDEX "products_party_id_upc_id_idx" ON "products" ("party_id", "upc", "id");
CREATE UNIQUE INDEX "products_party_id_brand_part_number_key"
    ON "products" ("party_id", "brand", "part_number");
CREATE INDEX "products_party_id_revision_id_idx" ON "products" ("party_id", "revision", "id");
-- Words of brand, part number and short description; the expression stands in
-- src/marketplace/products/pages/product-query.ts.
CREATE INDEX "products_text_search_idx" ON "products" USING gin (
  to_tsvector('simple'::regconfig, translate("brand" || ' ' || "part_number" || ' ' || COALESCE("short_description", ''), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32)))
);
CREATE INDEX "products_party_id_updated_at_idx" ON "products" ("party_id", "updated_at");

CREATE TABLE "product_deletions" (
    "party_id" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "product_id" BIGINT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "product_deletions_pkey" PRIMARY KEY ("party_id", "revision", "product_id"),
    CONSTRAINT "product_deletions_party_id_fkey"
        FOREIGN KEY ("party_id") REFERENCES "parties" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "product_deletions_deleted_at_idx" ON "product_deletions" ("deleted_at");

CREATE TABLE "feed_positions" (
    "installation_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_positions_pkey" PRIMARY KEY ("installation_id", "hash"),
    CONSTRAINT "feed_positions_installation_id_fkey"
        FOREIGN KEY ("installation_id") REFERENCES "installations" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "feed_positions_installation_id_used_at_idx"
    ON "feed_positions" ("installation_id", "used_at");
CREATE INDEX "feed_positions_used_at_idx" ON "feed_positions" ("used_at");

CREATE TABLE "product_imports" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "party_id" INTEGER NOT NULL,
    "installation_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'running',
    "bytes_read" BIGINT NOT NULL DEFAULT 0,
    "rows_read" BIGINT NOT NULL DEFAULT 0,
    "rows_refused" BIGINT NOT NULL DEFAULT 0,
    "rows_created" BIGINT NOT NULL DEFAULT 0,
    "rows_updated" BIGINT NOT NULL DEFAULT 0,
    "errors" JSONB NOT NULL DEFAULT '[]',
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "error_count" BIGINT NOT NULL DEFAULT 0,
    "problem" JSONB,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "live" BOOLEAN,

    CONSTRAINT "product_imports_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "product_imports_party_id_fkey"
        FOREIGN KEY ("party_id") REFERENCES "parties" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "product_imports_status_check"
        CHECK ("status" IN ('running', 'completed', 'refused', 'failed')),
    CONSTRAINT "product_imports_live_check"
        CHECK ("live" IS NULL OR ("live" AND "status" = 'running'))
);
CREATE INDEX "product_imports_party_id_started_at_idx"
    ON "product_imports" ("party_id", "started_at");
CREATE UNIQUE INDEX "product_imports_live_party_id_key" ON "product_imports" ("live", "party_id");

-- Kept for the time of an upload: not worth a log, nor the time to compress.
CREATE UNLOGGED TABLE "import_chunks" (
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "lines" TEXT NOT NULL,

    CONSTRAINT "import_chunks_pkey" PRIMARY KEY ("import_id", "number"),
    CONSTRAINT "import_chunks_import_id_fkey"
        FOREIGN KEY ("import_id") REFERENCES "product_imports" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);
ALTER TABLE "import_chunks" ALTER COLUMN "lines" SET STORAGE EXTERNAL;

-- Events and webhooks

CREATE TABLE "event_logs" (
    "developer_id" UUID NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,
    "forgotten" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_logs_pkey" PRIMARY KEY ("developer_id"),
    CONSTRAINT "event_logs_developer_id_fkey"
        FOREIGN KEY ("developer_id") REFERENCES "developers" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "event_logs_positions_check" CHECK ("forgotten" >= 0 AND "position" >= "forgotten")
);

CREATE TABLE "events" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "written" BIGSERIAL NOT NULL,
    "developer_id" UUID NOT NULL,
    "app_id" TEXT,
    "installation_id" UUID,
    "party_id" INTEGER,
    "party_type" "PartyType",
    "sequence" INTEGER,
    "endpoint_id" UUID,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "position" BIGINT,
    "traceparent" TEXT,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "events_developer_id_fkey"
        FOREIGN KEY ("developer_id") REFERENCES "developers" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "events_installation_check" CHECK (
        num_nonnulls("installation_id", "party_id", "party_type", "sequence") IN (0, 4)
    ),
    CONSTRAINT "events_position_check" CHECK ("position" > 0),
    CONSTRAINT "events_sequence_check" CHECK ("sequence" > 0)
);
CREATE UNIQUE INDEX "events_developer_id_position_key" ON "events" ("developer_id", "position");
CREATE UNIQUE INDEX "events_installation_id_sequence_key"
    ON "events" ("installation_id", "sequence");
-- The events that are not numbered yet are few.
CREATE INDEX "events_unnumbered_idx" ON "events" ("developer_id", "written")
    WHERE ("position" IS NULL);
CREATE INDEX "events_developer_id_app_id_position_idx"
    ON "events" ("developer_id", "app_id", "position");
CREATE INDEX "events_developer_id_type_position_idx"
    ON "events" ("developer_id", "type", "position");
CREATE INDEX "events_installation_id_position_idx" ON "events" ("installation_id", "position");
CREATE INDEX "events_at_idx" ON "events" ("at");

CREATE TABLE "event_consumers" (
    "developer_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_consumers_pkey" PRIMARY KEY ("developer_id", "name"),
    CONSTRAINT "event_consumers_developer_id_fkey"
        FOREIGN KEY ("developer_id") REFERENCES "developers" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "event_consumers_position_check" CHECK ("position" >= 0)
);

CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "developer_id" UUID NOT NULL,
    "app_id" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "url" TEXT NOT NULL,
    "event_types" TEXT[],
    "ordered" BOOLEAN NOT NULL DEFAULT false,
    "header_names" TEXT[],
    "headers" BYTEA,
    "secret" BYTEA NOT NULL,
    "previous_secret" BYTEA,
    "previous_secret_until" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "noticed_percent" SMALLINT NOT NULL DEFAULT 0,
    "resting_until" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_failure" TEXT,
    "slow" BOOLEAN NOT NULL DEFAULT false,
    "window_id" UUID,
    "window_until" TIMESTAMPTZ(3),
    "window_wanted" BOOLEAN NOT NULL DEFAULT false,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "secret_sha256" BYTEA,
    "previous_secret_sha256" BYTEA,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_endpoints_app_id_developer_id_fkey"
        FOREIGN KEY ("app_id", "developer_id") REFERENCES "apps" ("id", "developer_id")
        ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "webhook_endpoints_slot_check" CHECK ("slot" BETWEEN 1 AND 16),
    CONSTRAINT "webhook_endpoints_disabled_check" CHECK (
        ("disabled_at" IS NULL) = ("disabled_reason" IS NULL)
        AND "disabled_reason" IN ('developer', 'failing', 'gone')
    ),
    CONSTRAINT "webhook_endpoints_lists_check" CHECK (
        "event_types" IS NOT NULL AND "header_names" IS NOT NULL
        AND ("headers" IS NULL) = (cardinality("header_names") = 0)
    ),
    CONSTRAINT "webhook_endpoints_window_check" CHECK (("window_id" IS NULL) = ("window_until" IS NULL)),
    CONSTRAINT "webhook_endpoints_previous_secret_check" CHECK (
        ("previous_secret" IS NULL) = ("previous_secret_until" IS NULL)
    )
);
-- At most 16 endpoints per app, whoever makes them at once.
CREATE UNIQUE INDEX "webhook_endpoints_app_id_slot_key" ON "webhook_endpoints" ("app_id", "slot");
CREATE INDEX "webhook_endpoints_developer_id_idx" ON "webhook_endpoints" ("developer_id");
CREATE UNIQUE INDEX "webhook_endpoints_secret_sha256_key" ON "webhook_endpoints" ("secret_sha256");
CREATE UNIQUE INDEX "webhook_endpoints_previous_secret_sha256_key"
    ON "webhook_endpoints" ("previous_secret_sha256");

CREATE TABLE "webhook_deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "installation_id" UUID,
    "type" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3),
    "lease" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_deliveries_endpoint_id_fkey"
        FOREIGN KEY ("endpoint_id") REFERENCES "webhook_endpoints" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "webhook_deliveries_event_id_fkey"
        FOREIGN KEY ("event_id") REFERENCES "events" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "webhook_deliveries_status_check" CHECK (
        "status" IN ('pending', 'succeeded', 'failed', 'cancelled')
    ),
    CONSTRAINT "webhook_deliveries_due_check"
        CHECK (("due_at" IS NOT NULL) = ("status" = 'pending')),
    CONSTRAINT "webhook_deliveries_lease_check" CHECK (("lease" IS NULL) = ("lease_until" IS NULL)),
    CONSTRAINT "webhook_deliveries_finished_check" CHECK (
        ("finished_at" IS NULL) = ("status" = 'pending')
    )
);
CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key"
    ON "webhook_deliveries" ("event_id", "endpoint_id");
-- The log of an endpoint, newest first, and those of one status.
CREATE INDEX "webhook_deliveries_endpoint_id_position_idx"
    ON "webhook_deliveries" ("endpoint_id", "position");
CREATE INDEX "webhook_deliveries_endpoint_id_status_position_idx"
    ON "webhook_deliveries" ("endpoint_id", "status", "position");
-- With the position, because very many are due at the same moment after a recovery.
CREATE INDEX "webhook_deliveries_due_idx"
    ON "webhook_deliveries" ("endpoint_id", "due_at", "position") WHERE ("status" = 'pending');
-- The first one of each installation, for endpoints that want their events in order.
CREATE INDEX "webhook_deliveries_waiting_idx"
    ON "webhook_deliveries" ("endpoint_id", "installation_id", "position")
    WHERE ("status" = 'pending');
CREATE INDEX "webhook_deliveries_leased_idx" ON "webhook_deliveries" ("endpoint_id", "lease_until")
    WHERE ("lease" IS NOT NULL);
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_idx"
    ON "webhook_deliveries" ("endpoint_id", "created_at");

CREATE TABLE "webhook_attempts" (
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "status" INTEGER,
    "response" TEXT,
    "reason" TEXT,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id", "number"),
    CONSTRAINT "webhook_attempts_delivery_id_fkey"
        FOREIGN KEY ("delivery_id") REFERENCES "webhook_deliveries" ("id")
        ON DELETE CASCADE ON UPDATE CASCADE
);

-- The audit trail

CREATE TABLE "audit_events" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "address" TEXT,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "developer_id" UUID,
    "party_id" INTEGER,
    "before" JSONB,
    "after" JSONB,
    "actor_developer_id" UUID,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "audit_events_developer_id_id_idx" ON "audit_events" ("developer_id", "id");
CREATE INDEX "audit_events_party_id_id_idx" ON "audit_events" ("party_id", "id");
CREATE INDEX "audit_events_action_id_idx" ON "audit_events" ("action", "id");
CREATE INDEX "audit_events_actor_kind_id_idx" ON "audit_events" ("actor_kind", "id");
CREATE INDEX "audit_events_actor_id_id_idx" ON "audit_events" ("actor_id", "id");
CREATE INDEX "audit_events_subject_kind_id_idx" ON "audit_events" ("subject_kind", "id");
CREATE INDEX "audit_events_subject_id_id_idx" ON "audit_events" ("subject_id", "id");
CREATE INDEX "audit_events_at_id_idx" ON "audit_events" ("at", "id");
-- What people of a developer did to an account, which is shown as done by the developer.
CREATE INDEX "audit_events_of_people_idx" ON "audit_events" ("party_id", "id")
    WHERE "actor_developer_id" IS NOT NULL;

CREATE TABLE "audit_counts" (
    -- Of the same order as the ids of all other entries.
    "id" BIGINT NOT NULL DEFAULT nextval('audit_events_id_seq'),
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "count" BIGINT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_developer_id" UUID,
    "address" TEXT,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "developer_id" UUID,
    "party_id" INTEGER,

    CONSTRAINT "audit_counts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_counts_count_check" CHECK ("count" > 0 AND "last_at" >= "at")
);
CREATE UNIQUE INDEX "audit_counts_hour_key_key" ON "audit_counts" ("hour", "key");
CREATE INDEX "audit_counts_developer_id_id_idx" ON "audit_counts" ("developer_id", "id");
CREATE INDEX "audit_counts_party_id_id_idx" ON "audit_counts" ("party_id", "id");
CREATE INDEX "audit_counts_action_id_idx" ON "audit_counts" ("action", "id");
CREATE INDEX "audit_counts_actor_kind_id_idx" ON "audit_counts" ("actor_kind", "id");
CREATE INDEX "audit_counts_actor_id_id_idx" ON "audit_counts" ("actor_id", "id");
CREATE INDEX "audit_counts_subject_kind_id_idx" ON "audit_counts" ("subject_kind", "id");
CREATE INDEX "audit_counts_subject_id_id_idx" ON "audit_counts" ("subject_id", "id");
CREATE INDEX "audit_counts_of_people_idx" ON "audit_counts" ("party_id", "id")
    WHERE "actor_developer_id" IS NOT NULL;

-- The operation

CREATE TABLE "hourly_figures" (
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "errors" BIGINT NOT NULL DEFAULT 0,
    "latencies" BIGINT[],
    "tokens" BIGINT NOT NULL DEFAULT 0,
    "installs" BIGINT NOT NULL DEFAULT 0,
    "deliveries" BIGINT NOT NULL DEFAULT 0,
    "failures" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "hourly_figures_pkey" PRIMARY KEY ("hour")
);

-- The schema that the database has, and the oldest release that can work with it. A release is
-- named by the last migration that it brings. A migration that takes something away which the
-- release before still uses raises compatible_from, in the same file.
CREATE TABLE "schema_release" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "version" TEXT NOT NULL,
    "compatible_from" TEXT NOT NULL,

    CONSTRAINT "schema_release_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "schema_release_one_row" CHECK ("id")
);

INSERT INTO "schema_release" ("version", "compatible_from")
VALUES ('20261128120000_release_0_1_0', '20261128120000_release_0_1_0');

-- Searching names

-- Searches for a part of a name. They need the extension pg_trgm, which is a trusted one: whoever
-- may create objects in the database may create it. Where it cannot be had, searches work without
-- these indexes and read the whole table; the server says so when it starts, and name-search.sql
-- makes them later.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION
  WHEN insufficient_privilege OR undefined_file OR feature_not_supported OR invalid_schema_name THEN
    RAISE WARNING 'The extension pg_trgm cannot be created: %', SQLERRM;
END
$$;

DO $$
DECLARE
  -- The extension may stand in any schema.
  operators text := (
    SELECT format('%I.gin_trgm_ops', n.nspname)
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'pg_trgm'
  );
  searched record;
BEGIN
  IF operators IS NULL THEN
    RETURN;
  END IF;
  FOR searched IN
    SELECT * FROM (VALUES
      ('parties', 'name'), ('users', 'name'), ('users', 'email'), ('developers', 'name'),
      ('apps', 'id'), ('apps', 'name'), ('apps', 'description')
    ) AS searched (of_table, of_column)
  LOOP
    EXECUTE format(
      'CREATE INDEX IF NOT EXISTS %I ON %I USING gin (%I %s)',
      searched.of_table || '_' || searched.of_column || '_search_idx',
      searched.of_table, searched.of_column, operators
    );
  END LOOP;
END
$$;

-- Rules that triggers keep

-- The audit trail and the evidence of what was accepted are only ever added to.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

CREATE TRIGGER "audit_events_append_only"
  BEFORE UPDATE OR DELETE ON "audit_events"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER "audit_events_no_truncate"
  BEFORE TRUNCATE ON "audit_events"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER "acceptances_append_only"
  BEFORE UPDATE OR DELETE ON "acceptances"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER "acceptances_no_truncate"
  BEFORE TRUNCATE ON "acceptances"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Counts of the audit trail only rise.
CREATE FUNCTION guard_audit_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.count < OLD.count
    OR (NEW.id, NEW.hour, NEW.key, NEW.at, NEW.actor_kind, NEW.action, NEW.subject_kind,
        NEW.subject_id)
      <> (OLD.id, OLD.hour, OLD.key, OLD.at, OLD.actor_kind, OLD.action, OLD.subject_kind,
        OLD.subject_id)
    OR (NEW.actor_id, NEW.actor_developer_id, NEW.address, NEW.developer_id, NEW.party_id)
      IS DISTINCT FROM (OLD.actor_id, OLD.actor_developer_id, OLD.address, OLD.developer_id, OLD.party_id)
  THEN
    RAISE EXCEPTION 'a count of the audit trail only rises';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER "audit_counts_rise_only"
  BEFORE UPDATE ON "audit_counts"
  FOR EACH ROW EXECUTE FUNCTION guard_audit_count();

CREATE TRIGGER "audit_counts_no_delete"
  BEFORE DELETE ON "audit_counts"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER "audit_counts_no_truncate"
  BEFORE TRUNCATE ON "audit_counts"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- An installation keeps what it was installed with. Version and permissions are those of a
-- published version and change only in an upgrade, which says so for its transaction with
-- set_config('app_marketplace.upgrading', <installation id>, true). Uninstalled is final, but that
-- the kept text follows the name of the party.
CREATE FUNCTION guard_installation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW."id", NEW."app_id", NEW."developer_id", NEW."party_id", NEW."party_type", NEW."install_date")
      IS DISTINCT FROM (OLD."id", OLD."app_id", OLD."developer_id", OLD."party_id", OLD."party_type", OLD."install_date")
    THEN
      RAISE EXCEPTION 'the identity of an installation never changes' USING ERRCODE = 'restrict_violation';
    END IF;
    IF OLD."status" = 'uninstalled' THEN
      OLD."body" := NEW."body";
      IF NEW IS DISTINCT FROM OLD THEN
        RAISE EXCEPTION 'an uninstalled installation never changes' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN NEW;
    END IF;
    IF (NEW."installed_version", NEW."permissions") IS NOT DISTINCT FROM (OLD."installed_version", OLD."permissions") THEN
      RETURN NEW;
    END IF;
    IF current_setting('app_marketplace.upgrading', true) IS DISTINCT FROM NEW."id"::text THEN
      RAISE EXCEPTION 'version and permissions of an installation change only in an upgrade' USING ERRCODE = 'restrict_violation';
    END IF;
  END IF;
  IF NOT EXISTS (
    SELECT 1 FROM "app_versions" v
    WHERE v."app_id" = NEW."app_id" AND v."version" = NEW."installed_version"
      AND NEW."permissions" = ARRAY(
        SELECT p.value ->> 'id' FROM jsonb_array_elements(v."permissions") WITH ORDINALITY AS p (value, position)
        ORDER BY p.position
      )
  ) THEN
    RAISE EXCEPTION 'the permissions are not those of the version' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER "installations_guard"
  BEFORE INSERT OR UPDATE ON "installations"
  FOR EACH ROW EXECUTE FUNCTION guard_installation();

-- No installation begins with a party or a developer that is closed. A request that closes
-- one holds its row: an install at the same moment waits here, and then finds it closed.
CREATE FUNCTION refuse_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.live IS NULL THEN RETURN NEW; END IF;
  PERFORM 1 FROM parties WHERE id = NEW.party_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the party is closed'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'installations_party_open_check';
  END IF;
  PERFORM 1 FROM developers WHERE id = NEW.developer_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the developer is closed'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'installations_developer_open_check';
  END IF;
  RETURN NEW;
END
$$;

CREATE TRIGGER "installations_open"
  BEFORE INSERT ON "installations"
  FOR EACH ROW EXECUTE FUNCTION refuse_closed();

-- The JSON of an installation as lists answer it, from the type of its party on: what stands before
-- are its id, its app and the app's name, which are added in reading. Triggers keep it, whoever
-- writes. Passwords are not in it; has_passwords says that there are some to be added. Moments are
-- ISO 8601 in UTC with milliseconds; settings are in the order of their keys.
CREATE FUNCTION installation_body(i "installations") RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT concat(
      ',"partyType":"', i."party_type", '","partyId":', i."party_id",
      ',"partyName":', (SELECT to_json(p."name") FROM "parties" p WHERE p."id" = i."party_id"),
      ',"installDate":"', to_char(i."install_date" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      '","purchaseOptionId":', to_json(i."purchase_option_id"),
      ',"installedVersion":', to_json(i."installed_version"),
      ',"userSettings":{', s."of_users", '},"adminSettings":{', s."of_admins",
      '},"status":"', i."status", '","suspendedReason":',
      coalesce(to_json(i."suspended_reason")::text, 'null'),
      ',"permissions":', array_to_json(i."permissions"),
      ',"updatedAt":"', to_char(i."updated_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      '"}')
    FROM (
      SELECT
        string_agg(to_json(v."key") || ':' || v."value", ',' ORDER BY v."key" COLLATE "C")
          FILTER (WHERE v."scope" = 'user') AS "of_users",
        string_agg(to_json(v."key") || ':' || to_json(v."value" #>> '{}'), ',' ORDER BY v."key" COLLATE "C")
          FILTER (WHERE v."scope" = 'admin') AS "of_admins"
      FROM "setting_values" v WHERE v."installation_id" = i."id" AND v."secret" IS NULL
    ) AS s
  );
END
$$;

-- The text of an installation follows its columns.
CREATE FUNCTION keep_installation_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."body" := installation_body(NEW);
  RETURN NEW;
END
$$;

CREATE TRIGGER "installations_body_written"
  BEFORE INSERT OR UPDATE OF "purchase_option_id", "installed_version", "status", "suspended_reason", "permissions", "updated_at"
  ON "installations" FOR EACH ROW EXECUTE FUNCTION keep_installation_body();

-- The text follows the settings. The trigger locks the installations before the statement that
-- renews their text: a statement that waits for a row goes on with the settings as they were before
-- it waited.
CREATE FUNCTION keep_body_of_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "installations" i WHERE i."id" IN (SELECT "installation_id" FROM "changed")
  ORDER BY i."id" FOR NO KEY UPDATE;
  UPDATE "installations" i SET
    "body" = installation_body(i),
    "has_passwords" = EXISTS (
      SELECT 1 FROM "setting_values" v WHERE v."installation_id" = i."id" AND v."secret" IS NOT NULL)
  WHERE i."id" IN (SELECT "installation_id" FROM "changed");
  RETURN NULL;
END
$$;

CREATE TRIGGER "settings_body_added"
  AFTER INSERT ON "setting_values" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_body_of_settings();

CREATE TRIGGER "settings_body_changed"
  AFTER UPDATE ON "setting_values" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_body_of_settings();

CREATE TRIGGER "settings_body_removed"
  AFTER DELETE ON "setting_values" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION keep_body_of_settings();

-- The text follows the name of the party. An installation that another transaction adds while this
-- one renames its account, and commits after this statement begins, keeps the former name.
CREATE FUNCTION keep_bodies_of_party() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM "installations" i WHERE i."party_id" = NEW."id" ORDER BY i."id" FOR NO KEY UPDATE;
  UPDATE "installations" i SET "body" = installation_body(i) WHERE i."party_id" = NEW."id";
  RETURN NULL;
END
$$;

CREATE TRIGGER "parties_body_renamed"
  AFTER UPDATE OF "name" ON "parties"
  FOR EACH ROW WHEN (NEW."name" IS DISTINCT FROM OLD."name") EXECUTE FUNCTION keep_bodies_of_party();

-- The number of products of a party, whoever writes them. Every statement's share is added to the
-- row that the writers of a party take turns on.
CREATE FUNCTION count_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE "parties" SET "product_count" = 0 WHERE "product_count" <> 0;
  ELSE
    UPDATE "parties" p SET "product_count" = p."product_count" + c."more"
    FROM (
      SELECT "party_id", CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS "more"
      FROM "changed" GROUP BY "party_id"
    ) AS c
    WHERE p."id" = c."party_id";
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER "products_count_added"
  AFTER INSERT ON "products" REFERENCING NEW TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();

CREATE TRIGGER "products_count_removed"
  AFTER DELETE ON "products" REFERENCING OLD TABLE AS "changed"
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();

CREATE TRIGGER "products_count_truncated"
  AFTER TRUNCATE ON "products"
  FOR EACH STATEMENT EXECUTE FUNCTION count_products();

CREATE TRIGGER "products_party_fixed"
  BEFORE UPDATE OF "party_id" ON "products"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
