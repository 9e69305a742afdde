-- AlterTable
ALTER TABLE "AuditEntry" ADD COLUMN "position" INTEGER;

-- What there is was joined when it was written.
DROP TRIGGER "AuditEntry_inserted";
DROP TRIGGER "AuditEntry_updated";
DROP TRIGGER "AuditEntry_deleted";
UPDATE "AuditEntry" SET "position" = "number";

-- CreateIndex
CREATE UNIQUE INDEX "AuditEntry_position_key" ON "AuditEntry"("position");

-- CreateIndex
CREATE INDEX "AuditEntry_unjoined_idx" ON "AuditEntry"("number") WHERE "position" IS NULL;

-- Entries are only ever added, at the end. REPLACE would remove one without a DELETE. A number that SQLite is to choose is below 0 here.
CREATE TRIGGER "AuditEntry_inserted" BEFORE INSERT ON "AuditEntry"
    WHEN NEW."number" >= 0 AND EXISTS (SELECT 1 FROM "AuditEntry" WHERE "number" >= NEW."number") BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;

-- Until it is joined it is authenticated and joined, and nothing else of it changes.
CREATE TRIGGER "AuditEntry_updated" BEFORE UPDATE ON "AuditEntry"
    WHEN OLD."position" IS NOT NULL
    OR (OLD."number", OLD."at", OLD."action", OLD."actor") IS NOT (NEW."number", NEW."at", NEW."action", NEW."actor")
    OR (OLD."workspaceId", OLD."subject") IS NOT (NEW."workspaceId", NEW."subject") BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;

-- Retention removes the oldest entries, up to the one that its newest entry in the chain names.
CREATE TRIGGER "AuditEntry_deleted" BEFORE DELETE ON "AuditEntry"
    WHEN OLD."position" IS NULL OR OLD."position" > coalesce((SELECT CAST("subject" AS INTEGER) FROM "AuditEntry"
        WHERE "workspaceId" IS NULL AND "action" = 'audit.pruned' AND "position" IS NOT NULL
        ORDER BY "number" DESC LIMIT 1), 0) BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;
