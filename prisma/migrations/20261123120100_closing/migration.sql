-- Parties and developers that are closed for good, and users who were removed. All of them are
-- suspended too: whatever refuses a suspension refuses them, in the release before as well.
ALTER TABLE "parties" ADD COLUMN "closed_at" TIMESTAMPTZ(3);
ALTER TABLE "parties" ADD CONSTRAINT "parties_closed_check"
    CHECK ("closed_at" IS NULL OR "suspended_at" IS NOT NULL);

ALTER TABLE "developers" ADD COLUMN "closed_at" TIMESTAMPTZ(3);
ALTER TABLE "developers" ADD CONSTRAINT "developers_closed_check"
    CHECK ("closed_at" IS NULL OR "suspended_at" IS NOT NULL);

ALTER TABLE "users" ADD COLUMN "removed_at" TIMESTAMPTZ(3);
ALTER TABLE "users" ADD CONSTRAINT "users_removed_check"
    CHECK ("removed_at" IS NULL OR ("suspended_at" IS NOT NULL AND NOT "operator" AND NOT "support"));

-- No installation begins with a party or a developer that is closed. Who closes one holds its row:
-- an install at the same moment waits here, and then finds it closed.
CREATE FUNCTION refuse_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.live IS NULL THEN RETURN NEW; END IF;
  PERFORM 1 FROM parties WHERE id = NEW.party_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the party is closed'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'installations_party_open_check';
  END IF;
  PERFORM 1 FROM developers WHERE id = NEW.developer_id AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the developer is closed'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'installations_developer_open_check';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "installations_open"
    BEFORE INSERT ON "installations"
    FOR EACH ROW EXECUTE FUNCTION refuse_closed();

-- What one person accepted, for the export of that person's data.
CREATE INDEX "acceptances_actor_id_id_idx" ON "acceptances" ("actor_id", "id");
