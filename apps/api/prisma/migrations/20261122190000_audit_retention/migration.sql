-- Retention removes the oldest entries, up to the one that its newest entry in the log names.
DROP TRIGGER "AuditEntry_deleted";
CREATE TRIGGER "AuditEntry_deleted" BEFORE DELETE ON "AuditEntry"
    WHEN OLD."number" > coalesce((SELECT CAST("subject" AS INTEGER) FROM "AuditEntry"
        WHERE "workspaceId" IS NULL AND "action" = 'audit.pruned' ORDER BY "number" DESC LIMIT 1), 0) BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;
