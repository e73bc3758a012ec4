-- CreateTable
CREATE TABLE "kept_forms" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID,
    "developer_id" UUID,
    "sealed" BYTEA NOT NULL,
    "once" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_forms_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "kept_forms_owner_check" CHECK (num_nonnulls("user_id", "developer_id") = 1)
);

-- CreateIndex
CREATE INDEX "kept_forms_user_id_idx" ON "kept_forms"("user_id");

-- CreateIndex
CREATE INDEX "kept_forms_developer_id_idx" ON "kept_forms"("developer_id");

-- CreateIndex
CREATE INDEX "kept_forms_expires_at_idx" ON "kept_forms"("expires_at");

-- AddForeignKey
ALTER TABLE "kept_forms" ADD CONSTRAINT "kept_forms_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "kept_forms" ADD CONSTRAINT "kept_forms_developer_id_fkey" FOREIGN KEY ("developer_id") REFERENCES "developers"("id") ON DELETE CASCADE ON UPDATE CASCADE;
