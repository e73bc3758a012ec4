-- The words of what accounts accept: acknowledgements and purposes of permissions here, once per hash;
-- terms documents stay where they are.

CREATE TABLE "accepted_texts" (
    "sha256" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "accepted_texts_pkey" PRIMARY KEY ("sha256")
);

CREATE TRIGGER "accepted_texts_append_only"
  BEFORE UPDATE OR DELETE ON "accepted_texts"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER "accepted_texts_no_truncate"
  BEFORE TRUNCATE ON "accepted_texts"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- What an app may do is a part of what was accepted.
ALTER TABLE "acceptances" DROP CONSTRAINT "acceptances_kind_check";
ALTER TABLE "acceptances" ADD CONSTRAINT "acceptances_kind_check"
    CHECK ("kind" IN ('acknowledgement', 'terms', 'permission'));

-- The pages of a list of what was accepted for an installation.
CREATE INDEX "acceptances_installation_id_id_idx" ON "acceptances" ("installation_id", "id");
DROP INDEX "acceptances_installation_id_idx";

-- Whether a document was ever accepted.
CREATE INDEX "acceptances_terms_idx" ON "acceptances" ("sha256") WHERE (kind = 'terms'::text);

-- A PDF beside terms that are text.
ALTER TABLE "terms_documents"
    ADD COLUMN "pdf_sha256" TEXT,
    ADD COLUMN "pdf_size" INTEGER,
    ADD CONSTRAINT "terms_documents_pdf_check" CHECK (("pdf_sha256" IS NULL) = ("pdf_size" IS NULL)),
    ADD CONSTRAINT "terms_documents_app_id_pdf_sha256_fkey"
        FOREIGN KEY ("app_id", "pdf_sha256") REFERENCES "terms_documents" ("app_id", "sha256")
        ON DELETE RESTRICT ON UPDATE CASCADE;
CREATE INDEX "terms_documents_app_id_pdf_sha256_idx" ON "terms_documents" ("app_id", "pdf_sha256");

-- Terms that were accepted stay as they were, and so does the PDF beside them; one may be added.
CREATE FUNCTION keep_accepted_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.pdf_sha256 IS NULL AND NEW.sha256 = OLD.sha256 AND NEW.content = OLD.content THEN
      RETURN NEW;
    END IF;
  END IF;
  IF EXISTS (
    SELECT FROM acceptances a JOIN installations i ON i.id = a.installation_id
    WHERE a.kind = 'terms' AND a.sha256 = OLD.sha256 AND i.app_id = OLD.app_id
  ) THEN
    RAISE EXCEPTION '% of terms that were accepted is not allowed', TG_OP USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$;

CREATE TRIGGER "terms_documents_kept"
  BEFORE DELETE OR UPDATE OF "sha256", "content", "pdf_sha256" ON "terms_documents"
  FOR EACH ROW EXECUTE FUNCTION keep_accepted_terms();

-- The words that versions still have. The hash is that of JSON.stringify([title, text]).
INSERT INTO "accepted_texts" ("sha256", "title", "text")
SELECT DISTINCT ON (words.sha256) words.sha256, words.title, words.text
FROM "app_versions" v
CROSS JOIN LATERAL jsonb_array_elements(v.acknowledgements) AS one
CROSS JOIN LATERAL (
    SELECT one ->> 'title' AS title, one ->> 'text' AS text,
        encode(sha256(convert_to(
            '[' || to_json(one ->> 'title')::text || ',' || to_json(one ->> 'text')::text || ']', 'UTF8'
        )), 'hex') AS sha256
) AS words
WHERE words.sha256 IN (SELECT a.sha256 FROM "acceptances" a WHERE a.kind = 'acknowledgement');

UPDATE "schema_release" SET "version" = '20261129160000_accepted_texts';
