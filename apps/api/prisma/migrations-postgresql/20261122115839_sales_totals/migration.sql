-- AlterTable
ALTER TABLE "Purchase" ADD COLUMN     "refundedAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "SalesTotal" (
    "workspaceId" TEXT COLLATE "C" NOT NULL,
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

-- CreateIndex
CREATE INDEX "Purchase_refunded_idx" ON "Purchase"("workspaceId", "refundedAt") WHERE ("refundedAt" IS NOT NULL);

-- Totals are kept by triggers, which Prisma does not see: a migration that rebuilds "Purchase" makes its triggers again. A total is of the
-- whole workspace in an hour (`hour`, item 0) or of an item in a day of UTC (`item_day`); `start` counts hours or days since 1970. A
-- refund whose time is not known counts at the time of its sale. Amounts are minor units, in two parts: billions, and what is below. One
-- number would overflow at nine thousand sales of the highest price.

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
            CROSS JOIN (VALUES (''hour'', 3600), (''item_day'', 86400)) u ("unit", "seconds")
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

-- What was sold before.
INSERT INTO "SalesTotal" ("workspaceId", "unit", "start", "itemId", "currency",
        "sales", "salesHigh", "salesLow", "refunds", "refundsHigh", "refundsLow")
    SELECT "workspaceId", "unit", floor(extract(epoch FROM "date") / "seconds")::int, CASE "unit" WHEN 'hour' THEN 0 ELSE "itemId" END, "currency",
        count(*), sum("price" / 1000000000), sum("price" % 1000000000),
        count(*) FILTER (WHERE "state" = 'refunded'),
        coalesce(sum("price" / 1000000000) FILTER (WHERE "state" = 'refunded'), 0),
        coalesce(sum("price" % 1000000000) FILTER (WHERE "state" = 'refunded'), 0)
    FROM "Purchase" CROSS JOIN (VALUES ('hour', 3600), ('item_day', 86400)) u ("unit", "seconds")
    GROUP BY 1, 2, 3, 4, 5;
