-- Retention removes the oldest entries, up to the one that its newest entry in the log names.
CREATE OR REPLACE FUNCTION "AuditLog_grows"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'AuditEntry' THEN
        IF OLD."number" <= (SELECT split_part("subject", ':', 1)::integer FROM "AuditEntry"
            WHERE "workspaceId" IS NULL AND "action" = 'audit.pruned' ORDER BY "number" DESC LIMIT 1) THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'the audit log only grows';
END
$$;
