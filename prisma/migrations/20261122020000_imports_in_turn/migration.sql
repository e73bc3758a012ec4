-- AlterTable
ALTER TABLE "parties" ADD COLUMN     "product_count" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "product_imports" ADD COLUMN     "live" BOOLEAN;

-- CreateIndex
CREATE UNIQUE INDEX "product_imports_live_party_id_key" ON "product_imports"("live", "party_id");

-- CreateTable
CREATE TABLE "import_chunks" (
    "import_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "lines" TEXT NOT NULL,

    CONSTRAINT "import_chunks_pkey" PRIMARY KEY ("import_id","number")
);

-- AddForeignKey
ALTER TABLE "import_chunks" ADD CONSTRAINT "import_chunks_import_id_fkey" FOREIGN KEY ("import_id") REFERENCES "product_imports"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules that schema.prisma cannot express
ALTER TABLE "product_imports"
  ADD CONSTRAINT "product_imports_live_check" CHECK ("live" IS NULL OR ("live" AND "status" = 'running'));

-- Kept for the time of an upload: not worth a log, nor the time to compress
ALTER TABLE "import_chunks" SET UNLOGGED;
ALTER TABLE "import_chunks" ALTER COLUMN "lines" SET STORAGE EXTERNAL;
