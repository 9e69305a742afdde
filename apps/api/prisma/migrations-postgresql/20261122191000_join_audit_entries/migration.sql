-- AlterTable
CREATE SEQUENCE auditentry_number_seq;
ALTER TABLE "AuditEntry" ADD COLUMN     "position" INTEGER,
ALTER COLUMN "number" SET DEFAULT nextval('auditentry_number_seq');
ALTER SEQUENCE auditentry_number_seq OWNED BY "AuditEntry"."number";

-- What there is was joined when it was written.
DROP TRIGGER "AuditEntry_inserted" ON "AuditEntry";
DROP TRIGGER "AuditEntry_updated" ON "AuditEntry";
UPDATE "AuditEntry" SET "position" = "number";
SELECT setval('auditentry_number_seq', (SELECT coalesce(max("number"), 0) + 1 FROM "AuditEntry"), false);

-- CreateIndex
CREATE UNIQUE INDEX "AuditEntry_position_key" ON "AuditEntry"("position");

-- CreateIndex
CREATE INDEX "AuditEntry_unjoined_idx" ON "AuditEntry"("number") WHERE ("position" IS NULL);

-- An entry is added without its place in the chain. An earlier build gives it one, from what it takes for the end of the chain: it
-- cannot write any more, and its callers are told to try again, which other instances answer.
CREATE FUNCTION "AuditEntry_unjoined"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an earlier build cannot write to this database' USING ERRCODE = 'lock_not_available';
END
$$;

CREATE TRIGGER "AuditEntry_inserted" BEFORE INSERT ON "AuditEntry"
    FOR EACH ROW WHEN (NEW."position" IS NOT NULL OR NEW."hash" <> '') EXECUTE FUNCTION "AuditEntry_unjoined"();

-- Until it is joined it is authenticated and joined, and nothing else of it changes.
CREATE TRIGGER "AuditEntry_updated" BEFORE UPDATE ON "AuditEntry"
    FOR EACH ROW WHEN (OLD."position" IS NOT NULL
        OR (OLD."number", OLD."at", OLD."action", OLD."actor", OLD."workspaceId", OLD."subject")
            IS DISTINCT FROM (NEW."number", NEW."at", NEW."action", NEW."actor", NEW."workspaceId", NEW."subject"))
    EXECUTE FUNCTION "AuditLog_grows"();
CREATE TRIGGER "AuditEntry_deleted" BEFORE DELETE ON "AuditEntry"
    FOR EACH ROW EXECUTE FUNCTION "AuditLog_grows"();

DROP FUNCTION "AuditEntry_follows"();

-- Retention removes the oldest entries, up to the one that its newest entry in the chain names.
CREATE OR REPLACE FUNCTION "AuditLog_grows"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'AuditEntry' THEN
        IF OLD."position" <= (SELECT split_part("subject", ':', 1)::integer FROM "AuditEntry"
            WHERE "workspaceId" IS NULL AND "action" = 'audit.pruned' AND "position" IS NOT NULL
            ORDER BY "number" DESC LIMIT 1) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log only grows';
END
$$;
