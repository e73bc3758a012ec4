-- Every membership has a number of its own, so that tokens of a former one stay dead when the same
-- user joins the same party again. Those that are there have 0: what a token says that was made
-- before this column was there.
CREATE SEQUENCE "memberships_generation_seq" AS INTEGER;
ALTER TABLE "memberships" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "memberships" ALTER COLUMN "generation" SET DEFAULT nextval('memberships_generation_seq');
ALTER SEQUENCE "memberships_generation_seq" OWNED BY "memberships"."generation";

-- Attempts whose password is being checked count against the budget, too.
ALTER TABLE "login_failures" ADD COLUMN     "under_way" INTEGER NOT NULL DEFAULT 0;
