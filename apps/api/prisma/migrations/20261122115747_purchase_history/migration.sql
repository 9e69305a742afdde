-- AlterTable
ALTER TABLE "Purchase" ADD COLUMN "createdEntry" INTEGER;

-- CreateTable
CREATE TABLE "PurchaseChange" (
    "workspaceId" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "entry" INTEGER NOT NULL,
    "state" TEXT NOT NULL,

    PRIMARY KEY ("workspaceId", "code", "entry"),
    CONSTRAINT "PurchaseChange_workspaceId_code_fkey" FOREIGN KEY ("workspaceId", "code") REFERENCES "Purchase" ("workspaceId", "code") ON DELETE CASCADE ON UPDATE CASCADE
);
