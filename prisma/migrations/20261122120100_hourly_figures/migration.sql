-- What all servers together did in an hour: the charts of the operator. Each adds its share.
CREATE TABLE "hourly_figures" (
  "hour" TIMESTAMPTZ(3) NOT NULL,
  "requests" BIGINT NOT NULL DEFAULT 0,
  "errors" BIGINT NOT NULL DEFAULT 0,
  "latencies" BIGINT[],
  "tokens" BIGINT NOT NULL DEFAULT 0,
  "installs" BIGINT NOT NULL DEFAULT 0,
  "deliveries" BIGINT NOT NULL DEFAULT 0,
  "failures" BIGINT NOT NULL DEFAULT 0,

  CONSTRAINT "hourly_figures_pkey" PRIMARY KEY ("hour")
);
