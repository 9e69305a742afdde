-- What no model says. Prisma does not see it: whoever replaces a table makes its triggers again.

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
