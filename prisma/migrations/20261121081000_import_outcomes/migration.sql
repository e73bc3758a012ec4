-- AlterTable
ALTER TABLE "product_imports" ADD COLUMN     "error_count" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "problem" JSONB,
ADD COLUMN     "warnings" JSONB NOT NULL DEFAULT '[]';

-- Imports of before kept the first problems only.
UPDATE "product_imports" SET "error_count" = jsonb_array_length("errors");
UPDATE "product_imports"
SET "problem" = '{"code": "import_refused", "detail": "The file has problems; nothing was imported."}'
WHERE "status" = 'refused';
UPDATE "product_imports"
SET "problem" = '{"code": "unavailable", "detail": "It was cut off; nothing was imported."}'
WHERE "status" = 'failed';
