-- CreateTable
CREATE TABLE "developer_sessions" (
    "id" BYTEA NOT NULL,
    "credential_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "developer_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "developer_sessions_credential_id_idx" ON "developer_sessions"("credential_id");

-- CreateIndex
CREATE INDEX "developer_sessions_expires_at_idx" ON "developer_sessions"("expires_at");

-- AddForeignKey
ALTER TABLE "developer_sessions" ADD CONSTRAINT "developer_sessions_credential_id_fkey" FOREIGN KEY ("credential_id") REFERENCES "developer_credentials"("id") ON DELETE CASCADE ON UPDATE CASCADE;
