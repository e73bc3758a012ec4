-- AlterTable
ALTER TABLE "parties" ADD COLUMN     "feed_from_revision" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "products" ADD COLUMN     "body" TEXT,
ADD COLUMN     "revision" BIGINT NOT NULL DEFAULT 0;

-- Products that are there already
UPDATE "products" SET "body" = substr(json_build_object(
  'brand', "brand", 'partNumber', "part_number", 'inStock', "in_stock",
  'shortDescription', "short_description", 'msrp', trim_scale("msrp"),
  'mapPrice', trim_scale("map_price"), 'upc', "upc"
)::text, 2);
ALTER TABLE "products" ALTER COLUMN "body" SET NOT NULL;

-- CreateTable
CREATE TABLE "product_deletions" (
    "party_id" INTEGER NOT NULL,
    "revision" BIGINT NOT NULL,
    "product_id" BIGINT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "product_deletions_pkey" PRIMARY KEY ("party_id","revision","product_id")
);

-- CreateTable
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

    CONSTRAINT "product_imports_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "product_deletions_deleted_at_idx" ON "product_deletions"("deleted_at");

-- CreateIndex
CREATE INDEX "product_imports_party_id_started_at_idx" ON "product_imports"("party_id", "started_at");

-- CreateIndex
CREATE INDEX "products_party_id_revision_id_idx" ON "products"("party_id", "revision", "id");

-- AddForeignKey
ALTER TABLE "product_deletions" ADD CONSTRAINT "product_deletions_party_id_fkey" FOREIGN KEY ("party_id") REFERENCES "parties"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "product_imports" ADD CONSTRAINT "product_imports_party_id_fkey" FOREIGN KEY ("party_id") REFERENCES "parties"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules that schema.prisma cannot express
ALTER TABLE "product_imports"
  ADD CONSTRAINT "product_imports_status_check" CHECK ("status" IN ('running', 'completed', 'refused', 'failed'));
