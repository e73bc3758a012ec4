-- What a developer says about an app beside its definition, and the pictures of it.

ALTER TABLE "apps"
    ADD COLUMN "tagline" TEXT NOT NULL DEFAULT '',
    ADD COLUMN "icon_id" UUID,
    ADD COLUMN "listing_revision" INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX "apps_icon_id_key" ON "apps" ("icon_id");

CREATE TABLE "app_listings" (
    "app_id" TEXT NOT NULL,
    "long_description" TEXT NOT NULL DEFAULT '',
    "categories" TEXT[],
    "contacts" JSONB NOT NULL,
    "disclosure" JSONB NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_listings_pkey" PRIMARY KEY ("app_id"),
    CONSTRAINT "app_listings_app_id_fkey" FOREIGN KEY ("app_id") REFERENCES "apps" ("id")
        ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "app_pictures" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "app_id" TEXT NOT NULL,
    "developer_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "alt" TEXT NOT NULL DEFAULT '',
    "caption" TEXT NOT NULL DEFAULT '',
    "place" INTEGER NOT NULL DEFAULT 0,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "app_pictures_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "app_pictures_app_id_developer_id_fkey" FOREIGN KEY ("app_id", "developer_id")
        REFERENCES "apps" ("id", "developer_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "app_pictures_kind_check" CHECK ("kind" IN ('icon', 'screenshot')),
    CONSTRAINT "app_pictures_alt_check" CHECK ("kind" = 'icon' OR "alt" <> ''),
    CONSTRAINT "app_pictures_size_check" CHECK ("width" > 0 AND "height" > 0 AND "bytes" > 0)
);
CREATE INDEX "app_pictures_app_id_developer_id_place_idx"
    ON "app_pictures" ("app_id", "developer_id", "place");
-- What a developer has in all is counted from this alone.
CREATE INDEX "app_pictures_developer_id_bytes_idx" ON "app_pictures" ("developer_id", "bytes");

ALTER TABLE "apps" ADD CONSTRAINT "apps_icon_id_fkey" FOREIGN KEY ("icon_id")
    REFERENCES "app_pictures" ("id") ON DELETE SET NULL ON UPDATE CASCADE;

CREATE TABLE "app_picture_files" (
    "picture_id" UUID NOT NULL,
    "size" TEXT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "app_picture_files_pkey" PRIMARY KEY ("picture_id", "size"),
    CONSTRAINT "app_picture_files_picture_id_fkey" FOREIGN KEY ("picture_id")
        REFERENCES "app_pictures" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

UPDATE "schema_release" SET "version" = '20261129170000_listings_and_pictures';
