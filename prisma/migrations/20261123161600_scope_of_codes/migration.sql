-- A code may be for fewer permissions than its installation has; without a scope it is for all.
ALTER TABLE "authorization_codes" ADD COLUMN "scope" TEXT;
