-- CreateTable
CREATE TABLE "familiar_networks" (
    "who" TEXT NOT NULL,
    "network" TEXT NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "familiar_networks_pkey" PRIMARY KEY ("who","network")
);

-- CreateIndex
CREATE INDEX "familiar_networks_last_used_at_idx" ON "familiar_networks"("last_used_at");
