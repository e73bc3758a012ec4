-- A form that was sent and its answer belong to nobody but the browser that sent it: a visitor who
-- is not signed in has no row in users. A server of the release before finds such rows by no owner,
-- and goes on to write its own with one.
ALTER TABLE "kept_forms" DROP CONSTRAINT "kept_forms_owner_check";
ALTER TABLE "kept_forms" ADD CONSTRAINT "kept_forms_owner_check" CHECK (
  num_nonnulls("user_id", "developer_id") = 1
  OR ("once" AND num_nonnulls("user_id", "developer_id") = 0));
