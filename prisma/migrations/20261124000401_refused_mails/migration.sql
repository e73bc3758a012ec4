-- Whoever invites sees that the mail server refused the mail for good. A server of the release before
-- writes that to its log only.
ALTER TABLE "link_tokens" ADD COLUMN "mail_refused_at" TIMESTAMPTZ(3);
