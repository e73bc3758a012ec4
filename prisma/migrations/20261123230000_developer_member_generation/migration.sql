-- Test tokens end with the membership of the person who made them. Each membership has another
-- generation, so that an old token stays dead when the person joins the same developer again. Those
-- that are there have 0: what a token says that was made before this column was there. A server of
-- the release before writes rows without it and gets the default.
CREATE SEQUENCE "developer_members_generation_seq" AS INTEGER;
ALTER TABLE "developer_members" ADD COLUMN     "generation" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "developer_members" ALTER COLUMN "generation" SET DEFAULT nextval('developer_members_generation_seq');
ALTER SEQUENCE "developer_members_generation_seq" OWNED BY "developer_members"."generation";
