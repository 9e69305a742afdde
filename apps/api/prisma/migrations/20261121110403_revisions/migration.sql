-- CreateTable
CREATE TABLE "Revision" (
    "workspaceId" TEXT NOT NULL PRIMARY KEY,
    "access" BIGINT NOT NULL,
    "catalogue" BIGINT NOT NULL,
    "sales" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "ItemChange" (
    "workspaceId" TEXT NOT NULL,
    "itemId" BIGINT NOT NULL,
    "revision" BIGINT NOT NULL,

    PRIMARY KEY ("workspaceId", "itemId")
);

-- CreateIndex
CREATE INDEX "ItemChange_workspaceId_revision_idx" ON "ItemChange"("workspaceId", "revision");

-- Revisions are kept by triggers. Prisma does not see them: whoever rebuilds a table makes its triggers again.

INSERT INTO "Revision" ("workspaceId", "access", "catalogue", "sales") SELECT "id", 1, 1, 1 FROM "Workspace";

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
    INSERT INTO "ItemChange" ("workspaceId", "itemId", "revision")
        SELECT "workspaceId", NEW."id", "catalogue" FROM "Revision" WHERE "workspaceId" = NEW."workspaceId"
        ON CONFLICT ("workspaceId", "itemId") DO UPDATE SET "revision" = excluded."revision";
END;

CREATE TRIGGER "Item_updated" AFTER UPDATE ON "Item" BEGIN
    UPDATE "Revision" SET "catalogue" = "catalogue" + 1 WHERE "workspaceId" IN (NEW."workspaceId", OLD."workspaceId");
    INSERT INTO "ItemChange" ("workspaceId", "itemId", "revision")
        SELECT "workspaceId", NEW."id", "catalogue" FROM "Revision" WHERE "workspaceId" IN (NEW."workspaceId", OLD."workspaceId")
        ON CONFLICT ("workspaceId", "itemId") DO UPDATE SET "revision" = excluded."revision";
END;

CREATE TRIGGER "Item_deleted" AFTER DELETE ON "Item" BEGIN
    UPDATE "Revision" SET "catalogue" = "catalogue" + 1 WHERE "workspaceId" = OLD."workspaceId";
    INSERT INTO "ItemChange" ("workspaceId", "itemId", "revision")
        SELECT "workspaceId", OLD."id", "catalogue" FROM "Revision" WHERE "workspaceId" = OLD."workspaceId"
        ON CONFLICT ("workspaceId", "itemId") DO UPDATE SET "revision" = excluded."revision";
END;
