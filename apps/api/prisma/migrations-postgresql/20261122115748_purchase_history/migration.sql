-- AlterTable
ALTER TABLE "Purchase" ADD COLUMN     "createdEntry" INTEGER;

-- CreateTable
CREATE TABLE "PurchaseChange" (
    "workspaceId" TEXT COLLATE "C" NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,
    "entry" INTEGER NOT NULL,
    "state" "PurchaseState" NOT NULL,

    CONSTRAINT "PurchaseChange_pkey" PRIMARY KEY ("workspaceId","code","entry")
);

-- AddForeignKey
ALTER TABLE "PurchaseChange" ADD CONSTRAINT "PurchaseChange_workspaceId_code_fkey" FOREIGN KEY ("workspaceId", "code") REFERENCES "Purchase"("workspaceId", "code") ON DELETE CASCADE ON UPDATE CASCADE;

-- How often each purchase was validated. In SQLite it has a file of its own, so no model knows of it.
CREATE TABLE "PurchaseUse" (
    "purchase" TEXT COLLATE "C" NOT NULL,
    "itemId" BIGINT NOT NULL,
    "firstAt" BIGINT NOT NULL,
    "lastAt" BIGINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "PurchaseUse_pkey" PRIMARY KEY ("purchase")
);

-- When the purchases of an item were removed, for a day.
CREATE TABLE "ItemRemoval" (
    "itemId" BIGINT NOT NULL,
    "at" BIGINT NOT NULL,

    CONSTRAINT "ItemRemoval_pkey" PRIMARY KEY ("itemId")
);
