-- CreateEnum
CREATE TYPE "PartyType" AS ENUM ('Buyer', 'Seller', 'None');

-- CreateEnum
CREATE TYPE "PricingModel" AS ENUM ('FlatMonthly', 'FlatAnnual', 'TieredBuckets');

-- CreateEnum
CREATE TYPE "InstallationStatus" AS ENUM ('active', 'suspended', 'uninstalled');

-- CreateEnum
CREATE TYPE "SettingScope" AS ENUM ('user', 'admin');

-- CreateTable
CREATE TABLE "developers" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "sandbox_party_id" INTEGER NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "developers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "developer_credentials" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "developer_id" UUID NOT NULL,
    "client_id" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "slot" SMALLINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "developer_credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "parties" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "type" "PartyType" NOT NULL,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_reason" TEXT,
    "catalogue_revision" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "parties_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT NOT NULL,
    "operator" BOOLEAN NOT NULL DEFAULT false,
    "suspended_at" TIMESTAMPTZ(3),
    "suspended_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "user_id" UUID NOT NULL,
    "party_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id","party_id")
);

-- CreateTable
CREATE TABLE "connections" (
    "buyer_id" INTEGER NOT NULL,
    "buyer_type" "PartyType" NOT NULL DEFAULT 'Buyer',
    "seller_id" INTEGER NOT NULL,
    "seller_type" "PartyType" NOT NULL DEFAULT 'Seller',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "connections_pkey" PRIMARY KEY ("buyer_id","seller_id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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

    CONSTRAINT "apps_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "app_versions" (
    "app_id" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "permissions" JSONB NOT NULL,
    "settings" JSONB NOT NULL,
    "acknowledgements" JSONB NOT NULL,
    "terms_sha256" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_versions_pkey" PRIMARY KEY ("app_id","version")
);

-- CreateTable
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

    CONSTRAINT "purchase_options_pkey" PRIMARY KEY ("app_id","version","id")
);

-- CreateTable
CREATE TABLE "terms_documents" (
    "app_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "media_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "terms_documents_pkey" PRIMARY KEY ("app_id","sha256")
);

-- CreateTable
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

    CONSTRAINT "installations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "setting_values" (
    "installation_id" UUID NOT NULL,
    "scope" "SettingScope" NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB,
    "secret" BYTEA,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "setting_values_pkey" PRIMARY KEY ("installation_id","scope","key")
);

-- CreateTable
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

    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_key" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sign_from" TIMESTAMPTZ(3) NOT NULL,
    "verify_until" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "revoked_tokens" (
    "jti" UUID NOT NULL,
    "revoked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoked_tokens_pkey" PRIMARY KEY ("jti")
);

-- CreateIndex
CREATE UNIQUE INDEX "developers_sandbox_party_id_key" ON "developers"("sandbox_party_id");

-- CreateIndex
CREATE UNIQUE INDEX "developer_credentials_client_id_key" ON "developer_credentials"("client_id");

-- CreateIndex
CREATE UNIQUE INDEX "developer_credentials_developer_id_slot_key" ON "developer_credentials"("developer_id", "slot");

-- CreateIndex
CREATE UNIQUE INDEX "parties_id_type_key" ON "parties"("id", "type");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE INDEX "memberships_party_id_idx" ON "memberships"("party_id");

-- CreateIndex
CREATE INDEX "connections_seller_id_idx" ON "connections"("seller_id");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "apps_name_key_key" ON "apps"("name_key");

-- CreateIndex
CREATE INDEX "apps_developer_id_idx" ON "apps"("developer_id");

-- CreateIndex
CREATE UNIQUE INDEX "apps_id_developer_id_key" ON "apps"("id", "developer_id");

-- CreateIndex
CREATE UNIQUE INDEX "apps_id_version_key" ON "apps"("id", "version");

-- CreateIndex
CREATE UNIQUE INDEX "app_versions_app_id_sequence_key" ON "app_versions"("app_id", "sequence");

-- CreateIndex
CREATE INDEX "installations_developer_id_install_date_id_idx" ON "installations"("developer_id", "install_date", "id");

-- CreateIndex
CREATE INDEX "installations_app_id_install_date_id_idx" ON "installations"("app_id", "install_date", "id");

-- CreateIndex
CREATE INDEX "installations_party_id_install_date_id_idx" ON "installations"("party_id", "install_date", "id");

-- CreateIndex
CREATE UNIQUE INDEX "installations_app_id_party_id_live_key" ON "installations"("app_id", "party_id", "live");

-- CreateIndex
CREATE INDEX "products_party_id_id_idx" ON "products"("party_id", "id");

-- CreateIndex
CREATE INDEX "products_party_id_part_number_id_idx" ON "products"("party_id", "part_number", "id");

-- CreateIndex
CREATE INDEX "products_party_id_upc_id_idx" ON "products"("party_id", "upc", "id");

-- CreateIndex
CREATE UNIQUE INDEX "products_party_id_brand_part_number_key" ON "products"("party_id", "brand", "part_number");

-- CreateIndex
CREATE INDEX "revoked_tokens_expires_at_idx" ON "revoked_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "developers" ADD CONSTRAINT "developers_sandbox_party_id_fkey" FOREIGN KEY ("sandbox_party_id") REFERENCES "parties"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "developer_credentials" ADD CONSTRAINT "developer_credentials_developer_id_fkey" FOREIGN KEY ("developer_id") REFERENCES "developers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_party_id_fkey" FOREIGN KEY ("party_id") REFERENCES "parties"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_buyer_id_buyer_type_fkey" FOREIGN KEY ("buyer_id", "buyer_type") REFERENCES "parties"("id", "type") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connections" ADD CONSTRAINT "connections_seller_id_seller_type_fkey" FOREIGN KEY ("seller_id", "seller_type") REFERENCES "parties"("id", "type") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "apps" ADD CONSTRAINT "apps_developer_id_fkey" FOREIGN KEY ("developer_id") REFERENCES "developers"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "apps" ADD CONSTRAINT "apps_id_version_fkey" FOREIGN KEY ("id", "version") REFERENCES "app_versions"("app_id", "version") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "app_versions" ADD CONSTRAINT "app_versions_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_versions" ADD CONSTRAINT "app_versions_app_id_terms_sha256_fkey" FOREIGN KEY ("app_id", "terms_sha256") REFERENCES "terms_documents"("app_id", "sha256") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "purchase_options" ADD CONSTRAINT "purchase_options_app_id_version_fkey" FOREIGN KEY ("app_id", "version") REFERENCES "app_versions"("app_id", "version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "terms_documents" ADD CONSTRAINT "terms_documents_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "installations" ADD CONSTRAINT "installations_app_id_developer_id_fkey" FOREIGN KEY ("app_id", "developer_id") REFERENCES "apps"("id", "developer_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "installations" ADD CONSTRAINT "installations_party_id_party_type_fkey" FOREIGN KEY ("party_id", "party_type") REFERENCES "parties"("id", "type") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "installations" ADD CONSTRAINT "installations_app_id_installed_version_purchase_option_id_fkey" FOREIGN KEY ("app_id", "installed_version", "purchase_option_id") REFERENCES "purchase_options"("app_id", "version", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "setting_values" ADD CONSTRAINT "setting_values_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_party_id_fkey" FOREIGN KEY ("party_id") REFERENCES "parties"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules that schema.prisma cannot express
ALTER TABLE "developer_credentials"
  ADD CONSTRAINT "developer_credentials_slot_check" CHECK ("slot" IN (1, 2)),
  ADD CONSTRAINT "developer_credentials_removed_check" CHECK (("slot" IS NULL) = ("removed_at" IS NOT NULL));

ALTER TABLE "users"
  ADD CONSTRAINT "users_email_check" CHECK ("email" = lower(btrim("email")) AND "email" <> '');

ALTER TABLE "connections"
  ADD CONSTRAINT "connections_types_check" CHECK ("buyer_type" = 'Buyer' AND "seller_type" = 'Seller');

ALTER TABLE "apps"
  ADD CONSTRAINT "apps_id_check" CHECK ("id" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length("id") BETWEEN 2 AND 64),
  ADD CONSTRAINT "apps_party_types_check" CHECK (
    cardinality("party_types") > 0 AND "party_types" <@ ARRAY['Buyer', 'Seller']::"PartyType"[]
  ),
  ADD CONSTRAINT "apps_name_key_check" CHECK (("name_key" IS NULL) = ("deleted_at" IS NOT NULL)),
  ADD CONSTRAINT "apps_deleted_check" CHECK ("deleted_at" IS NULL OR NOT "listed");

ALTER TABLE "app_versions"
  ADD CONSTRAINT "app_versions_version_check" CHECK (length("version") BETWEEN 1 AND 64),
  ADD CONSTRAINT "app_versions_sequence_check" CHECK ("sequence" > 0);

ALTER TABLE "purchase_options"
  ADD CONSTRAINT "purchase_options_amounts_check" CHECK (
    CASE "pricing_model"
      WHEN 'TieredBuckets' THEN
        "monthly_rate_minor" IS NULL AND "bucket_size" > 0
        AND "rate_per_bucket_minor" >= 0 AND "base_fee_minor" >= 0
      ELSE
        "monthly_rate_minor" >= 0 AND "bucket_size" IS NULL
        AND "rate_per_bucket_minor" IS NULL AND "base_fee_minor" IS NULL
    END IS TRUE
  );

ALTER TABLE "terms_documents"
  ADD CONSTRAINT "terms_documents_size_check" CHECK ("size" = octet_length("content"));

ALTER TABLE "installations"
  ADD CONSTRAINT "installations_live_check" CHECK (
    ("status" = 'uninstalled') = ("live" IS NULL) AND "live" IS NOT FALSE
  ),
  ADD CONSTRAINT "installations_suspended_check" CHECK ("status" <> 'suspended' OR "suspended_at" IS NOT NULL),
  ADD CONSTRAINT "installations_uninstalled_check" CHECK (("status" = 'uninstalled') = ("uninstalled_at" IS NOT NULL));

ALTER TABLE "setting_values"
  ADD CONSTRAINT "setting_values_one_check" CHECK (("value" IS NULL) <> ("secret" IS NULL));

ALTER TABLE "products"
  ADD CONSTRAINT "products_keys_check" CHECK ("brand" <> '' AND "part_number" <> ''),
  ADD CONSTRAINT "products_amounts_check" CHECK ("in_stock" >= 0 AND "msrp" >= 0 AND "map_price" >= 0);
