-- CreateTable
CREATE TABLE "login_failures" (
    "key" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "failures" INTEGER NOT NULL,

    CONSTRAINT "login_failures_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "login_failures_window_start_idx" ON "login_failures"("window_start");

-- Lists are never null; schema.prisma cannot say so
ALTER TABLE "apps" ADD CONSTRAINT "apps_party_types_null_check" CHECK ("party_types" IS NOT NULL);
ALTER TABLE "installations" ADD CONSTRAINT "installations_permissions_null_check" CHECK ("permissions" IS NOT NULL);
