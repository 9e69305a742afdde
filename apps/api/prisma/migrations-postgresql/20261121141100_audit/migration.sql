-- The first start with the secret seals it.
INSERT INTO "AuditHead" ("id", "count", "hash", "identity", "seal") VALUES (1, 0, '', '', '');

-- Entries are only ever added, at the end.
CREATE FUNCTION "AuditLog_grows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log only grows';
END
$$;

CREATE FUNCTION "AuditEntry_follows"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "AuditEntry" WHERE "number" >= NEW."number") THEN
        RAISE EXCEPTION 'the audit log only grows';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER "AuditEntry_inserted" BEFORE INSERT ON "AuditEntry"
    FOR EACH ROW EXECUTE FUNCTION "AuditEntry_follows"();
CREATE TRIGGER "AuditEntry_updated" BEFORE UPDATE OR DELETE ON "AuditEntry"
    FOR EACH ROW EXECUTE FUNCTION "AuditLog_grows"();
CREATE TRIGGER "AuditEntry_truncated" BEFORE TRUNCATE ON "AuditEntry"
    FOR EACH STATEMENT EXECUTE FUNCTION "AuditLog_grows"();
CREATE TRIGGER "AuditHead_updated" BEFORE UPDATE ON "AuditHead"
    FOR EACH ROW WHEN (NEW."count" < OLD."count") EXECUTE FUNCTION "AuditLog_grows"();
CREATE TRIGGER "AuditHead_deleted" BEFORE DELETE ON "AuditHead"
    FOR EACH ROW EXECUTE FUNCTION "AuditLog_grows"();
CREATE TRIGGER "AuditHead_truncated" BEFORE TRUNCATE ON "AuditHead"
    FOR EACH STATEMENT EXECUTE FUNCTION "AuditLog_grows"();
