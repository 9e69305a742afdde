-- CreateTable
CREATE TABLE "Deployment" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "identity" TEXT NOT NULL,
    "secretCheck" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "transferredTo" TEXT
);

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "firstname" TEXT NOT NULL,
    "lastname" TEXT NOT NULL,
    "fullName" TEXT NOT NULL,
    "balance" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "heading" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "contactEmail" TEXT NOT NULL,
    "socialLinks" JSONB NOT NULL,
    "avatar" TEXT NOT NULL,
    "cover" TEXT NOT NULL,
    "registeredAt" DATETIME NOT NULL,
    "passwordHash" TEXT
);

-- CreateTable
CREATE TABLE "Session" (
    "tokenHash" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "passwordFingerprint" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastSeenAt" DATETIME NOT NULL,
    "browser" TEXT,
    "platform" TEXT,
    CONSTRAINT "Session_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ResetLink" (
    "accountId" TEXT NOT NULL PRIMARY KEY,
    "tokenHash" TEXT NOT NULL,
    "passwordFingerprint" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "ResetLink_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Workspace" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "accountId" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "shape" TEXT,
    "locale" TEXT,
    "passHours" INTEGER,
    "salesFiles" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Workspace_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspaceId" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "keyHash" TEXT NOT NULL,
    "keyCipher" BLOB NOT NULL,
    "publishable" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "revokedAt" DATETIME,
    "replacesId" TEXT,
    CONSTRAINT "ApiKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "SigningKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspaceId" INTEGER NOT NULL,
    "publicKey" TEXT NOT NULL,
    "keyHash" TEXT NOT NULL,
    "keyCipher" BLOB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "retiredAt" DATETIME,
    CONSTRAINT "SigningKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApiKeyItem" (
    "workspaceId" INTEGER NOT NULL,
    "keyId" TEXT NOT NULL,
    "itemId" BIGINT NOT NULL,

    PRIMARY KEY ("workspaceId", "keyId", "itemId"),
    CONSTRAINT "ApiKeyItem_workspaceId_keyId_fkey" FOREIGN KEY ("workspaceId", "keyId") REFERENCES "ApiKey" ("workspaceId", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApiKeyItem_workspaceId_itemId_fkey" FOREIGN KEY ("workspaceId", "itemId") REFERENCES "Item" ("workspaceId", "id") ON DELETE RESTRICT ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "Item" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "workspaceId" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "subCategory" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "version" TEXT NOT NULL,
    "demoLink" TEXT NOT NULL,
    "tags" JSONB NOT NULL,
    "thumbnail" TEXT NOT NULL,
    "previewImage" TEXT NOT NULL,
    "previewVideo" TEXT,
    "previewAudio" TEXT,
    "screenshots" JSONB NOT NULL,
    "priceRegular" BIGINT NOT NULL,
    "priceExtended" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "support" BOOLEAN NOT NULL,
    "publishedAt" DATETIME NOT NULL,
    "withdrawnAt" DATETIME,
    CONSTRAINT "Item_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Purchase" (
    "workspaceId" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "itemId" BIGINT NOT NULL,
    "licenseType" TEXT NOT NULL,
    "price" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "supportedUntil" DATETIME,
    "downloaded" BOOLEAN NOT NULL,
    "date" DATETIME NOT NULL,
    "state" TEXT NOT NULL,
    "createdEntry" INTEGER,
    "refundedAt" DATETIME,
    "customerName" TEXT,
    "customerEmail" TEXT,
    "customerOrder" TEXT,
    "note" TEXT,

    PRIMARY KEY ("workspaceId", "code"),
    CONSTRAINT "Purchase_workspaceId_itemId_fkey" FOREIGN KEY ("workspaceId", "itemId") REFERENCES "Item" ("workspaceId", "id") ON DELETE RESTRICT ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "PurchaseWord" (
    "workspaceId" INTEGER NOT NULL,
    "word" TEXT NOT NULL,
    "code" TEXT NOT NULL,

    PRIMARY KEY ("workspaceId", "word", "code")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "SalesTotal" (
    "workspaceId" INTEGER NOT NULL,
    "unit" TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "itemId" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "sales" BIGINT NOT NULL,
    "salesHigh" BIGINT NOT NULL,
    "salesLow" BIGINT NOT NULL,
    "refunds" BIGINT NOT NULL,
    "refundsHigh" BIGINT NOT NULL,
    "refundsLow" BIGINT NOT NULL,

    PRIMARY KEY ("workspaceId", "unit", "start", "itemId", "currency")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "PurchaseChange" (
    "workspaceId" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "entry" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "fields" TEXT,

    PRIMARY KEY ("workspaceId", "code", "entry"),
    CONSTRAINT "PurchaseChange_workspaceId_code_fkey" FOREIGN KEY ("workspaceId", "code") REFERENCES "Purchase" ("workspaceId", "code") ON DELETE CASCADE ON UPDATE CASCADE
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "Revision" (
    "workspaceId" INTEGER NOT NULL PRIMARY KEY,
    "access" BIGINT NOT NULL,
    "catalogue" BIGINT NOT NULL,
    "sales" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "number" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "workspaceId" INTEGER,
    "subject" TEXT
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
CREATE INDEX "Purchase_inactive_idx" ON "Purchase"("workspaceId", "date" DESC, "code" DESC) WHERE "state" != 'active';

-- CreateIndex
CREATE INDEX "Purchase_refunded_idx" ON "Purchase"("workspaceId", "refundedAt") WHERE "refundedAt" IS NOT NULL;

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

-- What follows, and that a table with a key of several columns is `WITHOUT ROWID`, Prisma does not see: a migration that rebuilds a table
-- says it again.

-- Finds purchases by the last characters of their codes.
CREATE INDEX "Purchase_end_of_code_idx" ON "Purchase"("workspaceId", substr("code", length("code") - 3));

-- Revisions are kept by triggers.

CREATE TRIGGER "Workspace_inserted" AFTER INSERT ON "Workspace" BEGIN
    INSERT INTO "Revision" ("workspaceId", "access", "catalogue", "sales") VALUES (NEW."id", 1, 1, 1)
        ON CONFLICT ("workspaceId") DO UPDATE SET "access" = "access" + 1;
END;

CREATE TRIGGER "Workspace_updated" AFTER UPDATE ON "Workspace" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" = NEW."id";
END;

CREATE TRIGGER "Workspace_deleted" AFTER DELETE ON "Workspace" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" = OLD."id";
END;

CREATE TRIGGER "Account_updated" AFTER UPDATE ON "Account" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1
        WHERE "workspaceId" IN (SELECT "id" FROM "Workspace" WHERE "accountId" = NEW."id");
END;

CREATE TRIGGER "ApiKey_inserted" AFTER INSERT ON "ApiKey" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" = NEW."workspaceId";
END;

CREATE TRIGGER "ApiKey_updated" AFTER UPDATE ON "ApiKey" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" IN (NEW."workspaceId", OLD."workspaceId");
END;

CREATE TRIGGER "ApiKey_deleted" AFTER DELETE ON "ApiKey" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" = OLD."workspaceId";
END;

CREATE TRIGGER "SigningKey_inserted" AFTER INSERT ON "SigningKey" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" = NEW."workspaceId";
END;

CREATE TRIGGER "SigningKey_updated" AFTER UPDATE ON "SigningKey" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" IN (NEW."workspaceId", OLD."workspaceId");
END;

CREATE TRIGGER "SigningKey_deleted" AFTER DELETE ON "SigningKey" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" = OLD."workspaceId";
END;

CREATE TRIGGER "ApiKeyItem_inserted" AFTER INSERT ON "ApiKeyItem" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" = NEW."workspaceId";
END;

CREATE TRIGGER "ApiKeyItem_updated" AFTER UPDATE ON "ApiKeyItem" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" IN (NEW."workspaceId", OLD."workspaceId");
END;

CREATE TRIGGER "ApiKeyItem_deleted" AFTER DELETE ON "ApiKeyItem" BEGIN
    UPDATE "Revision" SET "access" = "access" + 1 WHERE "workspaceId" = OLD."workspaceId";
END;

CREATE TRIGGER "Purchase_inserted" AFTER INSERT ON "Purchase" BEGIN
    UPDATE "Revision" SET "sales" = "sales" + 1 WHERE "workspaceId" = NEW."workspaceId";
END;

CREATE TRIGGER "Purchase_updated" AFTER UPDATE ON "Purchase" BEGIN
    UPDATE "Revision" SET "sales" = "sales" + 1 WHERE "workspaceId" IN (NEW."workspaceId", OLD."workspaceId");
END;

CREATE TRIGGER "Purchase_deleted" AFTER DELETE ON "Purchase" BEGIN
    UPDATE "Revision" SET "sales" = "sales" + 1 WHERE "workspaceId" = OLD."workspaceId";
END;

CREATE TRIGGER "Item_inserted" AFTER INSERT ON "Item" BEGIN
    UPDATE "Revision" SET "catalogue" = "catalogue" + 1 WHERE "workspaceId" = NEW."workspaceId";
END;

CREATE TRIGGER "Item_updated" AFTER UPDATE ON "Item" BEGIN
    UPDATE "Revision" SET "catalogue" = "catalogue" + 1 WHERE "workspaceId" IN (NEW."workspaceId", OLD."workspaceId");
END;

CREATE TRIGGER "Item_deleted" AFTER DELETE ON "Item" BEGIN
    UPDATE "Revision" SET "catalogue" = "catalogue" + 1 WHERE "workspaceId" = OLD."workspaceId";
END;

-- Totals are kept by triggers. A total is of the whole workspace in an hour (`hour`, item 0) or of an item in a day of UTC (`day`);
-- `start` counts hours or days since 1970. A refund whose time is not known counts at the time of its sale. Amounts are minor units, in two
-- parts: billions, and what is below. One number would overflow at nine thousand sales of the highest price.

CREATE VIEW "SalesChange" AS
    SELECT 0 AS "workspaceId", 0 AS "itemId", '' AS "currency", 0 AS "price", 0 AS "at", 0 AS "sales", 0 AS "refunds" WHERE FALSE;

CREATE TRIGGER "SalesChange_added" INSTEAD OF INSERT ON "SalesChange" BEGIN
    INSERT INTO "SalesTotal" ("workspaceId", "unit", "start", "itemId", "currency",
            "sales", "salesHigh", "salesLow", "refunds", "refundsHigh", "refundsLow")
        SELECT NEW."workspaceId", "unit", NEW."at" / 1000 / "seconds", "item", NEW."currency",
            NEW."sales", NEW."sales" * (NEW."price" / 1000000000), NEW."sales" * (NEW."price" % 1000000000),
            NEW."refunds", NEW."refunds" * (NEW."price" / 1000000000), NEW."refunds" * (NEW."price" % 1000000000)
        FROM (SELECT 'hour' AS "unit", 3600 AS "seconds", 0 AS "item"
            UNION ALL SELECT 'day', 86400, NEW."itemId")
        WHERE TRUE
        ON CONFLICT ("workspaceId", "unit", "start", "itemId", "currency") DO UPDATE SET
            "sales" = "sales" + excluded."sales", "salesHigh" = "salesHigh" + excluded."salesHigh", "salesLow" = "salesLow" + excluded."salesLow",
            "refunds" = "refunds" + excluded."refunds", "refundsHigh" = "refundsHigh" + excluded."refundsHigh",
            "refundsLow" = "refundsLow" + excluded."refundsLow";
END;

CREATE TRIGGER "Purchase_inserted_totals" AFTER INSERT ON "Purchase" BEGIN
    INSERT INTO "SalesChange" VALUES (NEW."workspaceId", NEW."itemId", NEW."currency", NEW."price", NEW."date", 1, 0);
    INSERT INTO "SalesChange" SELECT NEW."workspaceId", NEW."itemId", NEW."currency", NEW."price", coalesce(NEW."refundedAt", NEW."date"), 0, 1
        WHERE NEW."state" = 'refunded';
END;

CREATE TRIGGER "Purchase_updated_totals" AFTER UPDATE ON "Purchase"
    WHEN (OLD."workspaceId", OLD."itemId", OLD."currency", OLD."price", OLD."date", OLD."state", OLD."refundedAt")
        IS NOT (NEW."workspaceId", NEW."itemId", NEW."currency", NEW."price", NEW."date", NEW."state", NEW."refundedAt") BEGIN
    INSERT INTO "SalesChange" VALUES (OLD."workspaceId", OLD."itemId", OLD."currency", OLD."price", OLD."date", -1, 0);
    INSERT INTO "SalesChange" SELECT OLD."workspaceId", OLD."itemId", OLD."currency", OLD."price", coalesce(OLD."refundedAt", OLD."date"), 0, -1
        WHERE OLD."state" = 'refunded';
    INSERT INTO "SalesChange" VALUES (NEW."workspaceId", NEW."itemId", NEW."currency", NEW."price", NEW."date", 1, 0);
    INSERT INTO "SalesChange" SELECT NEW."workspaceId", NEW."itemId", NEW."currency", NEW."price", coalesce(NEW."refundedAt", NEW."date"), 0, 1
        WHERE NEW."state" = 'refunded';
END;

CREATE TRIGGER "Purchase_deleted_totals" AFTER DELETE ON "Purchase" BEGIN
    INSERT INTO "SalesChange" VALUES (OLD."workspaceId", OLD."itemId", OLD."currency", OLD."price", OLD."date", -1, 0);
    INSERT INTO "SalesChange" SELECT OLD."workspaceId", OLD."itemId", OLD."currency", OLD."price", coalesce(OLD."refundedAt", OLD."date"), 0, -1
        WHERE OLD."state" = 'refunded';
END;

-- The words of a purchase are kept by triggers: nothing that writes one can forget them. White space, quotes, `(` and `#` part words, of which
-- 64 characters count. `lower` knows ASCII alone, as that of the other database is told to: a search looks for the other spellings.

CREATE VIEW "WordOfPurchase" AS SELECT "workspaceId", substr(e.value, 1, 64) AS "word", "code" FROM "Purchase", json_each('[' ||
        replace(json_quote(replace(replace(replace(replace(replace(lower(concat_ws(' ', "customerName", "customerEmail", "customerOrder", "note")),
        char(10), ' '), char(9), ' '), '"', ' '), '(', ' '), '#', ' ')), ' ', '","') || ']') e
    WHERE e.value <> '';

CREATE TRIGGER "Purchase_inserted_words" AFTER INSERT ON "Purchase"
    WHEN coalesce(NEW."customerName", NEW."customerEmail", NEW."customerOrder", NEW."note") IS NOT NULL BEGIN
    INSERT INTO "PurchaseWord" SELECT * FROM "WordOfPurchase" WHERE "workspaceId" = NEW."workspaceId" AND "code" = NEW."code"
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER "Purchase_updates_words" BEFORE UPDATE ON "Purchase"
    WHEN (OLD."workspaceId", OLD."code", OLD."customerName", OLD."customerEmail", OLD."customerOrder", OLD."note")
        IS NOT (NEW."workspaceId", NEW."code", NEW."customerName", NEW."customerEmail", NEW."customerOrder", NEW."note") BEGIN
    DELETE FROM "PurchaseWord" WHERE "workspaceId" = OLD."workspaceId" AND "code" = OLD."code" AND "word" IN
        (SELECT "word" FROM "WordOfPurchase" WHERE "workspaceId" = OLD."workspaceId" AND "code" = OLD."code");
END;

CREATE TRIGGER "Purchase_updated_words" AFTER UPDATE ON "Purchase"
    WHEN (OLD."workspaceId", OLD."code", OLD."customerName", OLD."customerEmail", OLD."customerOrder", OLD."note")
        IS NOT (NEW."workspaceId", NEW."code", NEW."customerName", NEW."customerEmail", NEW."customerOrder", NEW."note") BEGIN
    INSERT INTO "PurchaseWord" SELECT * FROM "WordOfPurchase" WHERE "workspaceId" = NEW."workspaceId" AND "code" = NEW."code"
        ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER "Purchase_deletes_words" BEFORE DELETE ON "Purchase"
    WHEN coalesce(OLD."customerName", OLD."customerEmail", OLD."customerOrder", OLD."note") IS NOT NULL BEGIN
    DELETE FROM "PurchaseWord" WHERE "workspaceId" = OLD."workspaceId" AND "code" = OLD."code" AND "word" IN
        (SELECT "word" FROM "WordOfPurchase" WHERE "workspaceId" = OLD."workspaceId" AND "code" = OLD."code");
END;
