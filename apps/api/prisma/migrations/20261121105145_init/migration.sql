-- CreateTable
CREATE TABLE "Deployment" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "identity" TEXT NOT NULL,
    "secretCheck" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "username" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "firstname" TEXT NOT NULL,
    "lastname" TEXT NOT NULL,
    "fullName" TEXT NOT NULL,
    "balance" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "heading" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "contactEmail" TEXT NOT NULL,
    "socialLinks" JSONB NOT NULL,
    "avatar" TEXT NOT NULL,
    "cover" TEXT NOT NULL,
    "registeredAt" DATETIME NOT NULL,
    "passwordHash" TEXT
);

-- CreateTable
CREATE TABLE "Workspace" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "shape" TEXT,
    "locale" TEXT,
    "createdAt" DATETIME NOT NULL,
    CONSTRAINT "Workspace_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspaceId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "keyHash" TEXT NOT NULL,
    "keyCipher" BLOB NOT NULL,
    "publishable" BOOLEAN NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME,
    "revokedAt" DATETIME,
    CONSTRAINT "ApiKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "ApiKeyItem" (
    "workspaceId" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "itemId" BIGINT NOT NULL,

    PRIMARY KEY ("workspaceId", "keyId", "itemId"),
    CONSTRAINT "ApiKeyItem_workspaceId_keyId_fkey" FOREIGN KEY ("workspaceId", "keyId") REFERENCES "ApiKey" ("workspaceId", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "ApiKeyItem_workspaceId_itemId_fkey" FOREIGN KEY ("workspaceId", "itemId") REFERENCES "Item" ("workspaceId", "id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Item" (
    "id" BIGINT NOT NULL PRIMARY KEY,
    "workspaceId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "subCategory" TEXT NOT NULL,
    "options" JSONB NOT NULL,
    "version" TEXT NOT NULL,
    "demoLink" TEXT NOT NULL,
    "tags" JSONB NOT NULL,
    "thumbnail" TEXT NOT NULL,
    "previewImage" TEXT NOT NULL,
    "previewVideo" TEXT,
    "previewAudio" TEXT,
    "screenshots" JSONB NOT NULL,
    "priceRegular" BIGINT NOT NULL,
    "priceExtended" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "support" BOOLEAN NOT NULL,
    "publishedAt" DATETIME NOT NULL,
    CONSTRAINT "Item_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "Purchase" (
    "workspaceId" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "itemId" BIGINT NOT NULL,
    "licenseType" TEXT NOT NULL,
    "price" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "supportedUntil" DATETIME,
    "downloaded" BOOLEAN NOT NULL,
    "date" DATETIME NOT NULL,
    "state" TEXT NOT NULL,

    PRIMARY KEY ("workspaceId", "code"),
    CONSTRAINT "Purchase_workspaceId_itemId_fkey" FOREIGN KEY ("workspaceId", "itemId") REFERENCES "Item" ("workspaceId", "id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "Account_username_key" ON "Account"("username");

-- CreateIndex
CREATE UNIQUE INDEX "Workspace_slug_key" ON "Workspace"("slug");

-- CreateIndex
CREATE INDEX "Workspace_accountId_idx" ON "Workspace"("accountId");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_keyHash_key" ON "ApiKey"("keyHash");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_workspaceId_id_key" ON "ApiKey"("workspaceId", "id");

-- CreateIndex
CREATE INDEX "ApiKeyItem_workspaceId_itemId_idx" ON "ApiKeyItem"("workspaceId", "itemId");

-- CreateIndex
CREATE INDEX "Item_workspaceId_publishedAt_id_idx" ON "Item"("workspaceId", "publishedAt" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "Item_workspaceId_id_key" ON "Item"("workspaceId", "id");

-- CreateIndex
CREATE INDEX "Purchase_workspaceId_itemId_idx" ON "Purchase"("workspaceId", "itemId");
