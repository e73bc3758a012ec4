-- Entries of the audit trail for what happens often: one for each hour, with a count that only
-- rises. Their ids are of the same order as those of all other entries.
CREATE TABLE "audit_counts" (
    "id" BIGINT NOT NULL DEFAULT nextval('audit_events_id_seq'::regclass),
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "key" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,
    "count" BIGINT NOT NULL,
    "actor_kind" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_developer_id" UUID,
    "address" TEXT,
    "action" TEXT NOT NULL,
    "subject_kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "developer_id" UUID,
    "party_id" INTEGER,

    CONSTRAINT "audit_counts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "audit_counts_count_check" CHECK ("count" > 0 AND "last_at" >= "at")
);

CREATE UNIQUE INDEX "audit_counts_hour_key_key" ON "audit_counts" ("hour", "key");
CREATE INDEX "audit_counts_developer_id_id_idx" ON "audit_counts" ("developer_id", "id");
CREATE INDEX "audit_counts_party_id_id_idx" ON "audit_counts" ("party_id", "id");
CREATE INDEX "audit_counts_action_id_idx" ON "audit_counts" ("action", "id");
CREATE INDEX "audit_counts_actor_kind_id_idx" ON "audit_counts" ("actor_kind", "id");
CREATE INDEX "audit_counts_actor_id_id_idx" ON "audit_counts" ("actor_id", "id");
CREATE INDEX "audit_counts_subject_kind_id_idx" ON "audit_counts" ("subject_kind", "id");
CREATE INDEX "audit_counts_subject_id_id_idx" ON "audit_counts" ("subject_id", "id");

CREATE FUNCTION guard_audit_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.count < OLD.count
    OR (NEW.id, NEW.hour, NEW.key, NEW.at, NEW.actor_kind, NEW.action, NEW.subject_kind,
        NEW.subject_id)
      <> (OLD.id, OLD.hour, OLD.key, OLD.at, OLD.actor_kind, OLD.action, OLD.subject_kind,
        OLD.subject_id)
    OR (NEW.actor_id, NEW.actor_developer_id, NEW.address, NEW.developer_id, NEW.party_id)
      IS DISTINCT FROM (OLD.actor_id, OLD.actor_developer_id, OLD.address, OLD.developer_id, OLD.party_id)
  THEN
    RAISE EXCEPTION 'a count of the audit trail only rises';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "audit_counts_rise_only"
    BEFORE UPDATE ON "audit_counts"
    FOR EACH ROW EXECUTE FUNCTION guard_audit_count();

CREATE TRIGGER "audit_counts_no_delete"
    BEFORE DELETE ON "audit_counts"
    FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER "audit_counts_no_truncate"
    BEFORE TRUNCATE ON "audit_counts"
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
