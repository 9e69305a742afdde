-- AlterTable
ALTER TABLE "Purchase" ADD COLUMN "refundedAt" DATETIME;

-- CreateTable
CREATE TABLE "SalesTotal" (
    "workspaceId" TEXT NOT NULL,
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

-- CreateIndex
CREATE INDEX "Purchase_refunded_idx" ON "Purchase"("workspaceId", "refundedAt") WHERE "refundedAt" IS NOT NULL;

-- Totals are kept by triggers, which Prisma does not see: a migration that rebuilds "Purchase" makes its triggers again. A total is of the
-- whole workspace in an hour (`hour`, item 0) or of an item in a day of UTC (`item_day`); `start` counts hours or days since 1970. A
-- refund whose time is not known counts at the time of its sale. Amounts are minor units, in two parts: billions, and what is below. One
-- number would overflow at nine thousand sales of the highest price.

CREATE VIEW "SalesChange" AS
    SELECT '' AS "workspaceId", 0 AS "itemId", '' AS "currency", 0 AS "price", '' AS "at", 0 AS "sales", 0 AS "refunds" WHERE FALSE;

CREATE TRIGGER "SalesChange_added" INSTEAD OF INSERT ON "SalesChange" BEGIN
    INSERT INTO "SalesTotal" ("workspaceId", "unit", "start", "itemId", "currency",
            "sales", "salesHigh", "salesLow", "refunds", "refundsHigh", "refundsLow")
        SELECT NEW."workspaceId", "unit", coalesce(unixepoch(NEW."at"), 0) / "seconds", "item", NEW."currency",
            NEW."sales", NEW."sales" * (NEW."price" / 1000000000), NEW."sales" * (NEW."price" % 1000000000),
            NEW."refunds", NEW."refunds" * (NEW."price" / 1000000000), NEW."refunds" * (NEW."price" % 1000000000)
        FROM (SELECT 'hour' AS "unit", 3600 AS "seconds", 0 AS "item"
            UNION ALL SELECT 'item_day', 86400, NEW."itemId")
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

-- What was sold before.
INSERT INTO "SalesTotal" ("workspaceId", "unit", "start", "itemId", "currency",
        "sales", "salesHigh", "salesLow", "refunds", "refundsHigh", "refundsLow")
    SELECT "workspaceId", "unit", coalesce(unixepoch("date"), 0) / "seconds", CASE "unit" WHEN 'hour' THEN 0 ELSE "itemId" END, "currency",
        count(*), sum("price" / 1000000000), sum("price" % 1000000000),
        sum("refund"), sum("refund" * ("price" / 1000000000)), sum("refund" * ("price" % 1000000000))
    FROM (SELECT *, "state" = 'refunded' AS "refund" FROM "Purchase")
        JOIN (SELECT 'hour' AS "unit", 3600 AS "seconds" UNION ALL SELECT 'item_day', 86400)
    GROUP BY 1, 2, 3, 4, 5;
