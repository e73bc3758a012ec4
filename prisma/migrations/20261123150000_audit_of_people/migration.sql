-- What people of a developer did to an account, which is shown as done by the developer.
CREATE INDEX "audit_events_of_people_idx" ON "audit_events" ("party_id", "id")
    WHERE "actor_developer_id" IS NOT NULL;
CREATE INDEX "audit_counts_of_people_idx" ON "audit_counts" ("party_id", "id")
    WHERE "actor_developer_id" IS NOT NULL;
