-- The event log: what developers are told of, by pull and by webhook.

-- Counts the events of an installation, so that its events are numbered without gaps.
ALTER TABLE "installations" ADD COLUMN "event_sequence" INTEGER NOT NULL DEFAULT 0;

-- One row per developer with events. Whoever numbers them holds the row.
CREATE TABLE "event_logs" (
  "developer_id" UUID NOT NULL,
  "position" BIGINT NOT NULL DEFAULT 0,
  "forgotten" BIGINT NOT NULL DEFAULT 0,

  CONSTRAINT "event_logs_pkey" PRIMARY KEY ("developer_id"),
  CONSTRAINT "event_logs_developer_id_fkey" FOREIGN KEY ("developer_id")
    REFERENCES "developers" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "event_logs_positions_check" CHECK ("forgotten" >= 0 AND "position" >= "forgotten")
);

CREATE TABLE "events" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "written" BIGSERIAL NOT NULL,
  "developer_id" UUID NOT NULL,
  "app_id" TEXT NOT NULL,
  "installation_id" UUID,
  "party_id" INTEGER,
  "party_type" "PartyType",
  "sequence" INTEGER,
  "endpoint_id" UUID,
  "type" TEXT NOT NULL,
  "data" JSONB NOT NULL DEFAULT '{}',
  "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "position" BIGINT,

  CONSTRAINT "events_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "events_developer_id_fkey" FOREIGN KEY ("developer_id")
    REFERENCES "developers" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "events_installation_check" CHECK (
    num_nonnulls("installation_id", "party_id", "party_type", "sequence") IN (0, 4)
  ),
  CONSTRAINT "events_position_check" CHECK ("position" > 0),
  CONSTRAINT "events_sequence_check" CHECK ("sequence" > 0)
);

CREATE UNIQUE INDEX "events_developer_id_position_key" ON "events" ("developer_id", "position");
CREATE UNIQUE INDEX "events_installation_id_sequence_key"
  ON "events" ("installation_id", "sequence");
-- The events that are not numbered yet are few.
CREATE INDEX "events_unnumbered_idx" ON "events" ("developer_id", "written")
  WHERE ("position" IS NULL);
CREATE INDEX "events_developer_id_app_id_position_idx"
  ON "events" ("developer_id", "app_id", "position");
CREATE INDEX "events_developer_id_type_position_idx"
  ON "events" ("developer_id", "type", "position");
CREATE INDEX "events_installation_id_position_idx" ON "events" ("installation_id", "position");
CREATE INDEX "events_at_idx" ON "events" ("at");

-- How far a consumer of the log has come, in its own words.
CREATE TABLE "event_consumers" (
  "developer_id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "position" BIGINT NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "event_consumers_pkey" PRIMARY KEY ("developer_id", "name"),
  CONSTRAINT "event_consumers_developer_id_fkey" FOREIGN KEY ("developer_id")
    REFERENCES "developers" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "event_consumers_position_check" CHECK ("position" >= 0)
);

-- Where an app is told of its events.
CREATE TABLE "webhook_endpoints" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "developer_id" UUID NOT NULL,
  "app_id" TEXT NOT NULL,
  "slot" SMALLINT NOT NULL,
  "url" TEXT NOT NULL,
  "event_types" TEXT[],
  "ordered" BOOLEAN NOT NULL DEFAULT false,
  "header_names" TEXT[],
  "headers" BYTEA,
  "secret" BYTEA NOT NULL,
  "previous_secret" BYTEA,
  "previous_secret_until" TIMESTAMPTZ(3),
  "disabled_at" TIMESTAMPTZ(3),
  "disabled_reason" TEXT,
  "failing_since" TIMESTAMPTZ(3),
  "failures" INTEGER NOT NULL DEFAULT 0,
  "noticed_percent" SMALLINT NOT NULL DEFAULT 0,
  "resting_until" TIMESTAMPTZ(3),
  "last_success_at" TIMESTAMPTZ(3),
  "last_failure_at" TIMESTAMPTZ(3),
  "last_failure" TEXT,
  "slow" BOOLEAN NOT NULL DEFAULT false,
  "turn" UUID,
  "turn_until" TIMESTAMPTZ(3),
  "turn_wanted" BOOLEAN NOT NULL DEFAULT false,
  "revision" INTEGER NOT NULL DEFAULT 1,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

  CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_endpoints_app_id_developer_id_fkey" FOREIGN KEY ("app_id", "developer_id")
    REFERENCES "apps" ("id", "developer_id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "webhook_endpoints_slot_check" CHECK ("slot" BETWEEN 1 AND 16),
  CONSTRAINT "webhook_endpoints_disabled_check" CHECK (
    ("disabled_at" IS NULL) = ("disabled_reason" IS NULL)
    AND "disabled_reason" IN ('developer', 'failing', 'gone')
  ),
  CONSTRAINT "webhook_endpoints_lists_check" CHECK (
    "event_types" IS NOT NULL AND "header_names" IS NOT NULL
    AND ("headers" IS NULL) = (cardinality("header_names") = 0)
  ),
  CONSTRAINT "webhook_endpoints_turn_check" CHECK (("turn" IS NULL) = ("turn_until" IS NULL)),
  CONSTRAINT "webhook_endpoints_previous_secret_check" CHECK (
    ("previous_secret" IS NULL) = ("previous_secret_until" IS NULL)
  )
);

-- At most 16 endpoints per app, whoever makes them at once.
CREATE UNIQUE INDEX "webhook_endpoints_app_id_slot_key" ON "webhook_endpoints" ("app_id", "slot");
CREATE INDEX "webhook_endpoints_developer_id_idx" ON "webhook_endpoints" ("developer_id");

-- One event on its way to one endpoint.
CREATE TABLE "webhook_deliveries" (
  "id" UUID NOT NULL DEFAULT gen_random_uuid(),
  "endpoint_id" UUID NOT NULL,
  "event_id" UUID NOT NULL,
  "position" BIGINT NOT NULL,
  "installation_id" UUID,
  "type" TEXT NOT NULL,
  "status" TEXT NOT NULL DEFAULT 'pending',
  "attempts" INTEGER NOT NULL DEFAULT 0,
  "tries" INTEGER NOT NULL DEFAULT 0,
  "due_at" TIMESTAMPTZ(3),
  "lease" UUID,
  "lease_until" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "finished_at" TIMESTAMPTZ(3),

  CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "webhook_deliveries_endpoint_id_fkey" FOREIGN KEY ("endpoint_id")
    REFERENCES "webhook_endpoints" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id")
    REFERENCES "events" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "webhook_deliveries_status_check" CHECK (
    "status" IN ('pending', 'succeeded', 'failed', 'cancelled')
  ),
  CONSTRAINT "webhook_deliveries_due_check" CHECK (("due_at" IS NOT NULL) = ("status" = 'pending')),
  CONSTRAINT "webhook_deliveries_lease_check" CHECK (("lease" IS NULL) = ("lease_until" IS NULL)),
  CONSTRAINT "webhook_deliveries_finished_check" CHECK (
    ("finished_at" IS NULL) = ("status" = 'pending')
  )
);

CREATE UNIQUE INDEX "webhook_deliveries_event_id_endpoint_id_key"
  ON "webhook_deliveries" ("event_id", "endpoint_id");
-- The log of an endpoint, newest first, and those of one status.
CREATE INDEX "webhook_deliveries_endpoint_id_position_idx"
  ON "webhook_deliveries" ("endpoint_id", "position");
CREATE INDEX "webhook_deliveries_endpoint_id_status_position_idx"
  ON "webhook_deliveries" ("endpoint_id", "status", "position");
-- With the position, because very many are due at the same moment after a recovery.
CREATE INDEX "webhook_deliveries_due_idx"
  ON "webhook_deliveries" ("endpoint_id", "due_at", "position")
  WHERE ("status" = 'pending');
-- The first one of each installation, for endpoints that want their events in order.
CREATE INDEX "webhook_deliveries_waiting_idx"
  ON "webhook_deliveries" ("endpoint_id", "installation_id", "position")
  WHERE ("status" = 'pending');
CREATE INDEX "webhook_deliveries_leased_idx" ON "webhook_deliveries" ("endpoint_id", "lease_until")
  WHERE ("lease" IS NOT NULL);

CREATE TABLE "webhook_attempts" (
  "delivery_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,
  "duration_ms" INTEGER NOT NULL,
  "outcome" TEXT NOT NULL,
  "status" INTEGER,
  "response" TEXT,
  "reason" TEXT,

  CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("delivery_id", "number"),
  CONSTRAINT "webhook_attempts_delivery_id_fkey" FOREIGN KEY ("delivery_id")
    REFERENCES "webhook_deliveries" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
