-- CreateTable
CREATE TABLE "feed_positions" (
    "installation_id" UUID NOT NULL,
    "hash" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_positions_pkey" PRIMARY KEY ("installation_id","hash")
);

-- CreateIndex
CREATE INDEX "feed_positions_installation_id_used_at_idx" ON "feed_positions"("installation_id", "used_at");

-- CreateIndex
CREATE INDEX "feed_positions_used_at_idx" ON "feed_positions"("used_at");

-- AddForeignKey
ALTER TABLE "feed_positions" ADD CONSTRAINT "feed_positions_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
