-- What no model says. Prisma does not see it: whoever replaces a table makes its triggers again.

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
