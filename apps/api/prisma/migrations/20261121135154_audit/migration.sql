-- CreateTable
CREATE TABLE "AuditEntry" (
    "number" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "at" DATETIME NOT NULL,
    "action" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "workspaceId" TEXT,
    "subject" TEXT,
    "previousHash" TEXT NOT NULL,
    "hash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditHead" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "count" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "seal" TEXT NOT NULL
);

-- The first start with the secret seals it.
INSERT INTO "AuditHead" ("id", "count", "hash", "identity", "seal") VALUES (1, 0, '', '', '');

-- Entries are only ever added, at the end. REPLACE would remove one without a DELETE.
CREATE TRIGGER "AuditEntry_inserted" BEFORE INSERT ON "AuditEntry"
    WHEN EXISTS (SELECT 1 FROM "AuditEntry" WHERE "number" >= NEW."number") BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER "AuditEntry_updated" BEFORE UPDATE ON "AuditEntry" BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER "AuditEntry_deleted" BEFORE DELETE ON "AuditEntry" BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER "AuditHead_updated" BEFORE UPDATE ON "AuditHead" WHEN NEW."count" < OLD."count" BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER "AuditHead_deleted" BEFORE DELETE ON "AuditHead" BEGIN
    SELECT RAISE(ABORT, 'the audit log only grows');
END;
