-- CreateEnum
CREATE TYPE "ItemKind" AS ENUM ('image', 'video', 'audio');

-- CreateEnum
CREATE TYPE "PurchaseState" AS ENUM ('active', 'refunded', 'revoked');

-- CreateEnum
CREATE TYPE "Shape" AS ENUM ('base', 'extended');

-- CreateEnum
CREATE TYPE "Locale" AS ENUM ('en', 'pt');

-- CreateTable
CREATE TABLE "Deployment" (
    "id" INTEGER NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "secretCheck" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "transferredTo" TEXT COLLATE "C",

    CONSTRAINT "Deployment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT COLLATE "C" NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "firstname" TEXT COLLATE "C" NOT NULL,
    "lastname" TEXT COLLATE "C" NOT NULL,
    "fullName" TEXT COLLATE "C" NOT NULL,
    "balance" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "heading" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "contactEmail" TEXT COLLATE "C" NOT NULL,
    "socialLinks" JSON NOT NULL,
    "avatar" TEXT COLLATE "C" NOT NULL,
    "cover" TEXT COLLATE "C" NOT NULL,
    "registeredAt" TIMESTAMPTZ(3) NOT NULL,
    "passwordHash" TEXT COLLATE "C",

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "tokenHash" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "passwordFingerprint" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL,
    "browser" TEXT COLLATE "C",
    "platform" TEXT COLLATE "C",

    CONSTRAINT "Session_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "ResetLink" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "tokenHash" TEXT COLLATE "C" NOT NULL,
    "passwordFingerprint" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ResetLink_pkey" PRIMARY KEY ("accountId")
);

-- CreateTable
CREATE TABLE "Workspace" (
    "id" SERIAL NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "shape" "Shape",
    "locale" "Locale",
    "passHours" INTEGER,
    "salesFiles" TEXT COLLATE "C",
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "workspaceId" INTEGER NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "keyHash" TEXT COLLATE "C" NOT NULL,
    "keyCipher" BYTEA NOT NULL,
    "publishable" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "replacesId" TEXT COLLATE "C",

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "workspaceId" INTEGER NOT NULL,
    "publicKey" TEXT COLLATE "C" NOT NULL,
    "keyHash" TEXT COLLATE "C" NOT NULL,
    "keyCipher" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "retiredAt" TIMESTAMPTZ(3),

    CONSTRAINT "SigningKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKeyItem" (
    "workspaceId" INTEGER NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "itemId" BIGINT NOT NULL,

    CONSTRAINT "ApiKeyItem_pkey" PRIMARY KEY ("workspaceId","keyId","itemId")
);

-- CreateTable
CREATE TABLE "Item" (
    "id" BIGINT NOT NULL,
    "workspaceId" INTEGER NOT NULL,
    "kind" "ItemKind" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "category" TEXT COLLATE "C" NOT NULL,
    "subCategory" TEXT COLLATE "C" NOT NULL,
    "options" JSON NOT NULL,
    "version" TEXT COLLATE "C" NOT NULL,
    "demoLink" TEXT COLLATE "C" NOT NULL,
    "tags" JSON NOT NULL,
    "thumbnail" TEXT COLLATE "C" NOT NULL,
    "previewImage" TEXT COLLATE "C" NOT NULL,
    "previewVideo" TEXT COLLATE "C",
    "previewAudio" TEXT COLLATE "C",
    "screenshots" JSON NOT NULL,
    "priceRegular" BIGINT NOT NULL,
    "priceExtended" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "support" BOOLEAN NOT NULL,
    "publishedAt" TIMESTAMPTZ(3) NOT NULL,
    "withdrawnAt" TIMESTAMPTZ(3),

    CONSTRAINT "Item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Purchase" (
    "workspaceId" INTEGER NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,
    "itemId" BIGINT NOT NULL,
    "licenseType" TEXT COLLATE "C" NOT NULL,
    "price" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "supportedUntil" TIMESTAMPTZ(3),
    "downloaded" BOOLEAN NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL,
    "state" "PurchaseState" NOT NULL,
    "createdEntry" INTEGER,
    "refundedAt" TIMESTAMPTZ(3),
    "customerName" TEXT COLLATE "C",
    "customerEmail" TEXT COLLATE "C",
    "customerOrder" TEXT COLLATE "C",
    "note" TEXT COLLATE "C",

    CONSTRAINT "Purchase_pkey" PRIMARY KEY ("workspaceId","code")
);

-- CreateTable
CREATE TABLE "PurchaseWord" (
    "workspaceId" INTEGER NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "PurchaseWord_pkey" PRIMARY KEY ("workspaceId","word","code")
);

-- CreateTable
CREATE TABLE "SalesTotal" (
    "workspaceId" INTEGER NOT NULL,
    "unit" TEXT COLLATE "C" NOT NULL,
    "start" INTEGER NOT NULL,
    "itemId" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "sales" BIGINT NOT NULL,
    "salesHigh" BIGINT NOT NULL,
    "salesLow" BIGINT NOT NULL,
    "refunds" BIGINT NOT NULL,
    "refundsHigh" BIGINT NOT NULL,
    "refundsLow" BIGINT NOT NULL,

    CONSTRAINT "SalesTotal_pkey" PRIMARY KEY ("workspaceId","unit","start","itemId","currency")
);

-- CreateTable
CREATE TABLE "PurchaseChange" (
    "workspaceId" INTEGER NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,
    "entry" INTEGER NOT NULL,
    "state" "PurchaseState" NOT NULL,
    "fields" TEXT COLLATE "C",

    CONSTRAINT "PurchaseChange_pkey" PRIMARY KEY ("workspaceId","code","entry")
);

-- CreateTable
CREATE TABLE "Revision" (
    "workspaceId" INTEGER NOT NULL,
    "access" BIGINT NOT NULL,
    "catalogue" BIGINT NOT NULL,
    "sales" BIGINT NOT NULL,

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("workspaceId")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "number" SERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "actor" TEXT COLLATE "C" NOT NULL,
    "workspaceId" INTEGER,
    "subject" TEXT COLLATE "C",

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("number")
);

-- CreateIndex
CREATE UNIQUE INDEX "Account_username_key" ON "Account"("username");

-- CreateIndex
CREATE INDEX "Session_accountId_idx" ON "Session"("accountId");

-- CreateIndex
CREATE UNIQUE INDEX "ResetLink_tokenHash_key" ON "ResetLink"("tokenHash");

-- CreateIndex
CREATE UNIQUE INDEX "Workspace_slug_key" ON "Workspace"("slug");

-- CreateIndex
CREATE INDEX "Workspace_accountId_idx" ON "Workspace"("accountId");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_keyHash_key" ON "ApiKey"("keyHash");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_workspaceId_id_key" ON "ApiKey"("workspaceId", "id");

-- CreateIndex
CREATE INDEX "SigningKey_workspaceId_idx" ON "SigningKey"("workspaceId");

-- CreateIndex
CREATE INDEX "ApiKeyItem_workspaceId_itemId_idx" ON "ApiKeyItem"("workspaceId", "itemId");

-- CreateIndex
CREATE INDEX "Item_workspaceId_publishedAt_id_idx" ON "Item"("workspaceId", "publishedAt" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "Item_workspaceId_id_key" ON "Item"("workspaceId", "id");

-- CreateIndex
CREATE INDEX "Purchase_workspaceId_itemId_idx" ON "Purchase"("workspaceId", "itemId");

-- CreateIndex
CREATE INDEX "Purchase_workspaceId_date_code_idx" ON "Purchase"("workspaceId", "date" DESC, "code" DESC);

-- CreateIndex
CREATE INDEX "Purchase_inactive_idx" ON "Purchase"("workspaceId", "date" DESC, "code" DESC) WHERE ("state" != 'active');

-- CreateIndex
CREATE INDEX "Purchase_refunded_idx" ON "Purchase"("workspaceId", "refundedAt") WHERE ("refundedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "PurchaseChange_workspaceId_entry_idx" ON "PurchaseChange"("workspaceId", "entry");

-- CreateIndex
CREATE INDEX "AuditEntry_workspaceId_action_number_idx" ON "AuditEntry"("workspaceId", "action", "number");

-- CreateIndex
CREATE INDEX "AuditEntry_workspaceId_actor_action_number_idx" ON "AuditEntry"("workspaceId", "actor", "action", "number");

-- CreateIndex
CREATE INDEX "AuditEntry_subject_action_number_idx" ON "AuditEntry"("subject", "action", "number");

-- CreateIndex
CREATE INDEX "AuditEntry_at_idx" ON "AuditEntry"("at");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ResetLink" ADD CONSTRAINT "ResetLink_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Workspace" ADD CONSTRAINT "Workspace_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "SigningKey" ADD CONSTRAINT "SigningKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKeyItem" ADD CONSTRAINT "ApiKeyItem_workspaceId_keyId_fkey" FOREIGN KEY ("workspaceId", "keyId") REFERENCES "ApiKey"("workspaceId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKeyItem" ADD CONSTRAINT "ApiKeyItem_workspaceId_itemId_fkey" FOREIGN KEY ("workspaceId", "itemId") REFERENCES "Item"("workspaceId", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Item" ADD CONSTRAINT "Item_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Purchase" ADD CONSTRAINT "Purchase_workspaceId_itemId_fkey" FOREIGN KEY ("workspaceId", "itemId") REFERENCES "Item"("workspaceId", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "PurchaseChange" ADD CONSTRAINT "PurchaseChange_workspaceId_code_fkey" FOREIGN KEY ("workspaceId", "code") REFERENCES "Purchase"("workspaceId", "code") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows Prisma does not see: a migration that replaces a table says it again.

-- Finds purchases by the last characters of their codes.
CREATE INDEX "Purchase_end_of_code_idx" ON "Purchase"("workspaceId", substr("code", length("code") - 3));

-- What traffic leaves behind. In SQLite these tables have a file of their own, so no model knows of them.
CREATE TABLE "KeyUse" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "lastUsedAt" BIGINT NOT NULL,
    -- The operation, and the program as its User-Agent names it.
    "operation" TEXT COLLATE "C" NOT NULL,
    "client" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "KeyUse_pkey" PRIMARY KEY ("keyId")
);

CREATE TABLE "Counts" (
    "workspaceId" INTEGER NOT NULL,
    "hour" INTEGER NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "Counts_pkey" PRIMARY KEY ("workspaceId", "hour", "kind", "name", "code")
);

CREATE INDEX "Counts_hour_idx" ON "Counts"("hour");

CREATE TABLE "CountsWritten" (
    "id" INTEGER NOT NULL CHECK ("id" = 1),
    "at" BIGINT NOT NULL,

    CONSTRAINT "CountsWritten_pkey" PRIMARY KEY ("id")
);

-- How often each purchase was validated.
CREATE TABLE "PurchaseUse" (
    "purchase" TEXT COLLATE "C" NOT NULL,
    "itemId" BIGINT NOT NULL,
    "firstAt" BIGINT NOT NULL,
    "lastAt" BIGINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "PurchaseUse_pkey" PRIMARY KEY ("purchase")
);

-- Which codes a publishable key validated from an address lately, as keyed hashes.
CREATE TABLE "KnownCode" (
    "ref" TEXT COLLATE "C" NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "KnownCode_pkey" PRIMARY KEY ("ref")
);

CREATE INDEX "KnownCode_at" ON "KnownCode" ("at");

-- When the purchases of an item were removed, for a day.
CREATE TABLE "ItemRemoval" (
    "itemId" BIGINT NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "ItemRemoval_pkey" PRIMARY KEY ("itemId")
);

-- The codes that failed lately, encrypted.
CREATE TABLE "FailedCode" (
    "workspaceId" INTEGER NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "sealed" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "lastAt" BIGINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "FailedCode_pkey" PRIMARY KEY ("workspaceId","reason","hash")
);

-- In which hour a key was last used from an address of each of 256 slots.
CREATE TABLE "KeyAddress" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "slot" INTEGER NOT NULL,
    "hour" INTEGER NOT NULL,

    CONSTRAINT "KeyAddress_pkey" PRIMARY KEY ("keyId", "slot")
);

-- Every statement that changes what an import reads takes a number, whoever sends it. An import that finds no number taken since its
-- check has nothing to check again.
CREATE SEQUENCE "write_count";

CREATE FUNCTION "count_write"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    PERFORM nextval('"write_count"');
    RETURN NULL;
END
$$;

CREATE TRIGGER "Account_written" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Account"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_write"();
CREATE TRIGGER "Workspace_written" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Workspace"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_write"();
CREATE TRIGGER "ApiKey_written" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "ApiKey"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_write"();
CREATE TRIGGER "ApiKeyItem_written" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "ApiKeyItem"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_write"();
CREATE TRIGGER "Item_written" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Item"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_write"();
CREATE TRIGGER "Purchase_written" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Purchase"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_write"();

-- The catalogue of a workspace has a number that is another after every change of its items, and never one that it had before: it is
-- random, because a counter would count the same again where a standby takes over that lacks the last commits. Below 2^48, so that
-- it is a whole number everywhere. `access` and `sales` are not kept here: nothing asks for them.
CREATE FUNCTION "new_catalogue"() RETURNS bigint LANGUAGE sql VOLATILE AS $$
    SELECT ('x' || left(replace(gen_random_uuid()::text, '-', ''), 12))::bit(48)::bigint
$$;

CREATE FUNCTION "Workspace_made"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO "Revision" ("workspaceId", "access", "catalogue", "sales") SELECT "id", 1, "new_catalogue"(), 1 FROM "made"
        ON CONFLICT ("workspaceId") DO UPDATE SET "catalogue" = EXCLUDED."catalogue";
    RETURN NULL;
END
$$;

CREATE TRIGGER "Workspace_inserted" AFTER INSERT ON "Workspace" REFERENCING NEW TABLE AS "made"
    FOR EACH STATEMENT EXECUTE FUNCTION "Workspace_made"();

CREATE FUNCTION "Item_changed"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        UPDATE "Revision" SET "catalogue" = "new_catalogue"();
    ELSE
        UPDATE "Revision" SET "catalogue" = "new_catalogue"()
            WHERE "workspaceId" IN (SELECT "workspaceId" FROM "changed");
    END IF;
    RETURN NULL;
END
$$;

CREATE FUNCTION "Item_moved"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    UPDATE "Revision" SET "catalogue" = "new_catalogue"()
        WHERE "workspaceId" IN (SELECT "workspaceId" FROM "changed" UNION SELECT "workspaceId" FROM "before");
    RETURN NULL;
END
$$;

CREATE TRIGGER "Item_inserted" AFTER INSERT ON "Item" REFERENCING NEW TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION "Item_changed"();
CREATE TRIGGER "Item_updated" AFTER UPDATE ON "Item" REFERENCING OLD TABLE AS "before" NEW TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION "Item_moved"();
CREATE TRIGGER "Item_deleted" AFTER DELETE ON "Item" REFERENCING OLD TABLE AS "changed"
    FOR EACH STATEMENT EXECUTE FUNCTION "Item_changed"();
CREATE TRIGGER "Item_truncated" AFTER TRUNCATE ON "Item" FOR EACH STATEMENT EXECUTE FUNCTION "Item_changed"();

-- A statement that changes what an import reads shares the lock of writers until its transaction ends, whoever sends it. An import that
-- holds it alone knows that no such change is open. Unlike a lock of the table it lets VACUUM, ANALYZE and CREATE INDEX CONCURRENTLY
-- go on. The lock is taken before the statement locks a row: afterwards, two writers could wait for each other.
CREATE FUNCTION "share_write_lock"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(7253370282);
    RETURN NULL;
END
$$;

CREATE TRIGGER "Account_shares_lock" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Account"
    FOR EACH STATEMENT EXECUTE FUNCTION "share_write_lock"();
CREATE TRIGGER "Workspace_shares_lock" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Workspace"
    FOR EACH STATEMENT EXECUTE FUNCTION "share_write_lock"();
CREATE TRIGGER "ApiKey_shares_lock" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "ApiKey"
    FOR EACH STATEMENT EXECUTE FUNCTION "share_write_lock"();
CREATE TRIGGER "ApiKeyItem_shares_lock" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "ApiKeyItem"
    FOR EACH STATEMENT EXECUTE FUNCTION "share_write_lock"();
CREATE TRIGGER "Item_shares_lock" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Item"
    FOR EACH STATEMENT EXECUTE FUNCTION "share_write_lock"();
CREATE TRIGGER "Purchase_shares_lock" BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "Purchase"
    FOR EACH STATEMENT EXECUTE FUNCTION "share_write_lock"();

-- Totals are kept by triggers. A total is of the whole workspace in an hour (`hour`, item 0) or of an item in a day of UTC (`day`);
-- `start` counts hours or days since 1970. A refund whose time is not known counts at the time of its sale. Amounts are minor units, in two
-- parts: billions, and what is below. One number would overflow at nine thousand sales of the highest price.

CREATE FUNCTION "Purchase_totals"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    "rows" text := CASE TG_OP
        WHEN 'INSERT' THEN 'SELECT *, 1 AS "sign" FROM "made"'
        WHEN 'DELETE' THEN 'SELECT *, -1 AS "sign" FROM "gone"'
        ELSE 'SELECT *, 1 AS "sign" FROM "made" UNION ALL SELECT *, -1 AS "sign" FROM "gone"'
    END;
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        DELETE FROM "SalesTotal";
        RETURN NULL;
    END IF;
    -- In the order of the key, so that two writers do not wait for each other.
    EXECUTE 'INSERT INTO "SalesTotal" ("workspaceId", "unit", "start", "itemId", "currency",
            "sales", "salesHigh", "salesLow", "refunds", "refundsHigh", "refundsLow")
        SELECT "workspaceId", "unit", floor(extract(epoch FROM "at") / "seconds")::int,
            CASE "unit" WHEN ''hour'' THEN 0 ELSE "itemId" END, "currency",
            sum("sale"), sum("sale" * ("price" / 1000000000)), sum("sale" * ("price" % 1000000000)),
            sum("refund"), sum("refund" * ("price" / 1000000000)), sum("refund" * ("price" % 1000000000))
        FROM (' || "rows" || ') p
            CROSS JOIN LATERAL (VALUES (p."date", p."sign", 0),
                (CASE WHEN p."state" = ''refunded'' THEN coalesce(p."refundedAt", p."date") END, 0, p."sign")) c ("at", "sale", "refund")
            CROSS JOIN (VALUES (''hour'', 3600), (''day'', 86400)) u ("unit", "seconds")
        WHERE "at" IS NOT NULL
        GROUP BY 1, 2, 3, 4, 5
        HAVING sum("sale") <> 0 OR sum("sale" * "price") <> 0 OR sum("refund") <> 0 OR sum("refund" * "price") <> 0
        ORDER BY 1, 2, 3, 4, 5
        ON CONFLICT ("workspaceId", "unit", "start", "itemId", "currency") DO UPDATE SET
            "sales" = "SalesTotal"."sales" + EXCLUDED."sales",
            "salesHigh" = "SalesTotal"."salesHigh" + EXCLUDED."salesHigh", "salesLow" = "SalesTotal"."salesLow" + EXCLUDED."salesLow",
            "refunds" = "SalesTotal"."refunds" + EXCLUDED."refunds",
            "refundsHigh" = "SalesTotal"."refundsHigh" + EXCLUDED."refundsHigh", "refundsLow" = "SalesTotal"."refundsLow" + EXCLUDED."refundsLow"';
    RETURN NULL;
END
$$;

CREATE TRIGGER "Purchase_inserted_totals" AFTER INSERT ON "Purchase" REFERENCING NEW TABLE AS "made"
    FOR EACH STATEMENT EXECUTE FUNCTION "Purchase_totals"();
CREATE TRIGGER "Purchase_updated_totals" AFTER UPDATE ON "Purchase" REFERENCING OLD TABLE AS "gone" NEW TABLE AS "made"
    FOR EACH STATEMENT EXECUTE FUNCTION "Purchase_totals"();
CREATE TRIGGER "Purchase_deleted_totals" AFTER DELETE ON "Purchase" REFERENCING OLD TABLE AS "gone"
    FOR EACH STATEMENT EXECUTE FUNCTION "Purchase_totals"();
CREATE TRIGGER "Purchase_truncated_totals" AFTER TRUNCATE ON "Purchase" FOR EACH STATEMENT EXECUTE FUNCTION "Purchase_totals"();

-- The words of a purchase are kept by triggers: nothing that writes one can forget them. White space, quotes, `(` and `#` part words, of which
-- 64 characters count. `lower` is told to know ASCII alone, as that of the other database: a search looks for the other spellings.
CREATE FUNCTION "words"(value text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT DISTINCT left(word, 64) FROM unnest(string_to_array(translate(lower(value COLLATE "C"), E'\n\t"(#', '     '), ' ')) word WHERE word <> ''
$$;

CREATE FUNCTION "Purchase_words"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM "PurchaseWord" WHERE "workspaceId" = OLD."workspaceId" AND "code" = OLD."code" AND "word" IN
        (SELECT "words"(concat_ws(' ', OLD."customerName", OLD."customerEmail", OLD."customerOrder", OLD."note")));
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "PurchaseWord" ("workspaceId", "word", "code") SELECT NEW."workspaceId",
            "words"(concat_ws(' ', NEW."customerName", NEW."customerEmail", NEW."customerOrder", NEW."note")), NEW."code";
    END IF;
    RETURN NULL;
END
$$;

-- In order, so that those of many purchases go once through the index.
CREATE FUNCTION "Purchases_words"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    INSERT INTO "PurchaseWord" ("workspaceId", "word", "code") SELECT "workspaceId", "word", "code"
        FROM "made", "words"(concat_ws(' ', "customerName", "customerEmail", "customerOrder", "note")) "word"
        WHERE coalesce("customerName", "customerEmail", "customerOrder", "note") IS NOT NULL ORDER BY 1, 2, 3;
    RETURN NULL;
END
$$;

CREATE FUNCTION "PurchaseWord_clear"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    DELETE FROM "PurchaseWord";
    RETURN NULL;
END
$$;

CREATE TRIGGER "Purchase_inserted_words" AFTER INSERT ON "Purchase" REFERENCING NEW TABLE AS "made"
    FOR EACH STATEMENT EXECUTE FUNCTION "Purchases_words"();
CREATE TRIGGER "Purchase_updated_words" AFTER UPDATE ON "Purchase" FOR EACH ROW
    WHEN ((OLD."workspaceId", OLD."code", OLD."customerName", OLD."customerEmail", OLD."customerOrder", OLD."note")
        IS DISTINCT FROM (NEW."workspaceId", NEW."code", NEW."customerName", NEW."customerEmail", NEW."customerOrder", NEW."note"))
    EXECUTE FUNCTION "Purchase_words"();
CREATE TRIGGER "Purchase_deleted_words" AFTER DELETE ON "Purchase" FOR EACH ROW
    WHEN (coalesce(OLD."customerName", OLD."customerEmail", OLD."customerOrder", OLD."note") IS NOT NULL)
    EXECUTE FUNCTION "Purchase_words"();
CREATE TRIGGER "Purchase_truncated_words" AFTER TRUNCATE ON "Purchase" FOR EACH STATEMENT EXECUTE FUNCTION "PurchaseWord_clear"();

-- A text without the difference between capital and small or accented letters, as in JavaScript:
-- text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase(). PostgreSQL's regular expressions do not know \p{M}: these are its characters.
-- What is small and what is capital beyond ASCII the collation says, and which there are depends on how the server was built.
DO $make$
DECLARE
    marks text := '[' ||
            '\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7\u0610-\u061a\u064b-\u065f' ||
            '\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3' ||
            '\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1\u08e3-\u0903' ||
            '\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962-\u0963\u0981-\u0983\u09bc\u09be-\u09c4\u09c7-\u09c8\u09cb-\u09cd' ||
            '\u09d7\u09e2-\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47-\u0a48\u0a4b-\u0a4d\u0a51' ||
            '\u0a70-\u0a71\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2-\u0ae3\u0afa-\u0aff' ||
            '\u0b01-\u0b03\u0b3c\u0b3e-\u0b44\u0b47-\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62-\u0b63\u0b82\u0bbe-\u0bc2' ||
            '\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55-\u0c56' ||
            '\u0c62-\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5-\u0cd6\u0ce2-\u0ce3\u0cf3' ||
            '\u0d00-\u0d03\u0d3b-\u0d3c\u0d3e-\u0d44\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62-\u0d63\u0d81-\u0d83\u0dca' ||
            '\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2-\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc' ||
            '\u0ec8-\u0ece\u0f18-\u0f19\u0f35\u0f37\u0f39\u0f3e-\u0f3f\u0f71-\u0f84\u0f86-\u0f87\u0f8d-\u0f97' ||
            '\u0f99-\u0fbc\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d' ||
            '\u108f\u109a-\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752-\u1753\u1772-\u1773\u17b4-\u17d3\u17dd' ||
            '\u180b-\u180d\u180f\u1885-\u1886\u18a9\u1920-\u192b\u1930-\u193b\u1a17-\u1a1b\u1a55-\u1a5e\u1a60-\u1a7c' ||
            '\u1a7f\u1ab0-\u1add\u1ae0-\u1aeb\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3' ||
            '\u1c24-\u1c37\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1' ||
            '\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099-\u309a\ua66f-\ua672\ua674-\ua67d\ua69e-\ua69f\ua6f0-\ua6f1\ua802' ||
            '\ua806\ua80b\ua823-\ua827\ua82c\ua880-\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d' ||
            '\ua947-\ua953\ua980-\ua983\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c-\uaa4d\uaa7b-\uaa7d\uaab0' ||
            '\uaab2-\uaab4\uaab7-\uaab8\uaabe-\uaabf\uaac1\uaaeb-\uaaef\uaaf5-\uaaf6\uabe3-\uabea\uabec-\uabed\ufb1e' ||
            '\ufe00-\ufe0f\ufe20-\ufe2f\U000101fd\U000102e0\U00010376-\U0001037a\U00010a01-\U00010a03\U00010a05-\U00010a06\U00010a0c-\U00010a0f\U00010a38-\U00010a3a' ||
            '\U00010a3f\U00010ae5-\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab-\U00010eac\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011000-\U00011002' ||
            '\U00011038-\U00011046\U00011070\U00011073-\U00011074\U0001107f-\U00011082\U000110b0-\U000110ba\U000110c2\U00011100-\U00011102\U00011127-\U00011134\U00011145-\U00011146' ||
            '\U00011173\U00011180-\U00011182\U000111b3-\U000111c0\U000111c9-\U000111cc\U000111ce-\U000111cf\U0001122c-\U00011237\U0001123e\U00011241\U000112df-\U000112ea' ||
            '\U00011300-\U00011303\U0001133b-\U0001133c\U0001133e-\U00011344\U00011347-\U00011348\U0001134b-\U0001134d\U00011357\U00011362-\U00011363\U00011366-\U0001136c\U00011370-\U00011374' ||
            '\U000113b8-\U000113c0\U000113c2\U000113c5\U000113c7-\U000113ca\U000113cc-\U000113d0\U000113d2\U000113e1-\U000113e2\U00011435-\U00011446\U0001145e' ||
            '\U000114b0-\U000114c3\U000115af-\U000115b5\U000115b8-\U000115c0\U000115dc-\U000115dd\U00011630-\U00011640\U000116ab-\U000116b7\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011935' ||
            '\U00011937-\U00011938\U0001193b-\U0001193e\U00011940\U00011942-\U00011943\U000119d1-\U000119d7\U000119da-\U000119e0\U000119e4\U00011a01-\U00011a0a\U00011a33-\U00011a39' ||
            '\U00011a3b-\U00011a3e\U00011a47\U00011a51-\U00011a5b\U00011a8a-\U00011a99\U00011b60-\U00011b67\U00011c2f-\U00011c36\U00011c38-\U00011c3f\U00011c92-\U00011ca7\U00011ca9-\U00011cb6' ||
            '\U00011d31-\U00011d36\U00011d3a\U00011d3c-\U00011d3d\U00011d3f-\U00011d45\U00011d47\U00011d8a-\U00011d8e\U00011d90-\U00011d91\U00011d93-\U00011d97\U00011ef3-\U00011ef6' ||
            '\U00011f00-\U00011f01\U00011f03\U00011f34-\U00011f3a\U00011f3e-\U00011f42\U00011f5a\U00013440\U00013447-\U00013455\U0001611e-\U0001612f\U00016af0-\U00016af4' ||
            '\U00016b30-\U00016b36\U00016f4f\U00016f51-\U00016f87\U00016f8f-\U00016f92\U00016fe4\U00016ff0-\U00016ff1\U0001bc9d-\U0001bc9e\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46' ||
            '\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001da00-\U0001da36\U0001da3b-\U0001da6c\U0001da75' ||
            '\U0001da84\U0001da9b-\U0001da9f\U0001daa1-\U0001daaf\U0001e000-\U0001e006\U0001e008-\U0001e018\U0001e01b-\U0001e021\U0001e023-\U0001e024\U0001e026-\U0001e02a\U0001e08f' ||
            '\U0001e130-\U0001e136\U0001e2ae\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee-\U0001e5ef\U0001e6e3\U0001e6e6\U0001e6ee-\U0001e6ef\U0001e6f5' ||
            '\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a\U000e0100-\U000e01ef' || ']';
    letters text;
BEGIN
    SELECT collname INTO letters FROM pg_collation
        WHERE collname IN ('und-x-icu', 'pg_c_utf8', 'C.utf8', 'C.UTF-8') AND collencoding IN (-1, pg_char_to_encoding('UTF8'))
        ORDER BY array_position(ARRAY['und-x-icu', 'pg_c_utf8', 'C.utf8', 'C.UTF-8']::name[], collname) LIMIT 1;
    EXECUTE format('CREATE FUNCTION "fold"(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
        AS %L', format('SELECT lower(regexp_replace(normalize(value, NFD), %L, '''', ''g'') COLLATE %I) COLLATE "C"',
            marks, coalesce(letters, 'default')));
END
$make$;

-- Whether a text holds a part, both folded.
CREATE FUNCTION "holds"(value text, part text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT
    AS $$ SELECT position("fold"(part) IN "fold"(value)) > 0 $$;
