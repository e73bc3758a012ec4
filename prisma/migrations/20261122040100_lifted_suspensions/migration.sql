-- An installation that was uninstalled under an operator's suspension keeps its account from
-- installing the app again until the operator lifts that. The record itself never changes.
CREATE TABLE "lifted_suspensions" (
    "installation_id" UUID NOT NULL,
    "lifted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "lifted_suspensions_pkey" PRIMARY KEY ("installation_id")
);

ALTER TABLE "lifted_suspensions" ADD CONSTRAINT "lifted_suspensions_installation_id_fkey" FOREIGN KEY ("installation_id") REFERENCES "installations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
