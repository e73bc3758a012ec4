-- Whether a link was mailed, and so proves the address that it is for. Those there are, and those that
-- a server of the release before makes, count as handed over.
ALTER TABLE "link_tokens" ADD COLUMN "mailed" BOOLEAN NOT NULL DEFAULT false;
-- False for whom somebody else made with a link that was handed over.
ALTER TABLE "users" ADD COLUMN "email_proved" BOOLEAN NOT NULL DEFAULT true;
