-- CreateIndex
CREATE INDEX "products_party_id_updated_at_idx" ON "products"("party_id", "updated_at");
