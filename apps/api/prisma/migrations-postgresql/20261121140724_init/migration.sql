-- CreateEnum
CREATE TYPE "ItemKind" AS ENUM ('image', 'video', 'audio');

-- CreateEnum
CREATE TYPE "PurchaseState" AS ENUM ('active', 'refunded', 'revoked');

-- CreateEnum
CREATE TYPE "Shape" AS ENUM ('base', 'extended');

-- CreateEnum
CREATE TYPE "Locale" AS ENUM ('en', 'pt');

-- CreateTable
CREATE TABLE "Deployment" (
    "id" INTEGER NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "secretCheck" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Deployment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT COLLATE "C" NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "email" TEXT COLLATE "C" NOT NULL,
    "firstname" TEXT COLLATE "C" NOT NULL,
    "lastname" TEXT COLLATE "C" NOT NULL,
    "fullName" TEXT COLLATE "C" NOT NULL,
    "balance" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "heading" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "contactEmail" TEXT COLLATE "C" NOT NULL,
    "socialLinks" JSON NOT NULL,
    "avatar" TEXT COLLATE "C" NOT NULL,
    "cover" TEXT COLLATE "C" NOT NULL,
    "registeredAt" TIMESTAMPTZ(3) NOT NULL,
    "passwordHash" TEXT COLLATE "C",

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "tokenHash" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "passwordMark" TEXT COLLATE "C" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("tokenHash")
);

-- CreateTable
CREATE TABLE "Workspace" (
    "id" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "slug" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "shape" "Shape",
    "locale" "Locale",
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT COLLATE "C" NOT NULL,
    "workspaceId" TEXT COLLATE "C" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "keyHash" TEXT COLLATE "C" NOT NULL,
    "keyCipher" BYTEA NOT NULL,
    "publishable" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKeyItem" (
    "workspaceId" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "itemId" BIGINT NOT NULL,

    CONSTRAINT "ApiKeyItem_pkey" PRIMARY KEY ("workspaceId","keyId","itemId")
);

-- CreateTable
CREATE TABLE "Item" (
    "id" BIGINT NOT NULL,
    "workspaceId" TEXT COLLATE "C" NOT NULL,
    "kind" "ItemKind" NOT NULL,
    "name" TEXT COLLATE "C" NOT NULL,
    "description" TEXT COLLATE "C" NOT NULL,
    "category" TEXT COLLATE "C" NOT NULL,
    "subCategory" TEXT COLLATE "C" NOT NULL,
    "options" JSON NOT NULL,
    "version" TEXT COLLATE "C" NOT NULL,
    "demoLink" TEXT COLLATE "C" NOT NULL,
    "tags" JSON NOT NULL,
    "thumbnail" TEXT COLLATE "C" NOT NULL,
    "previewImage" TEXT COLLATE "C" NOT NULL,
    "previewVideo" TEXT COLLATE "C",
    "previewAudio" TEXT COLLATE "C",
    "screenshots" JSON NOT NULL,
    "priceRegular" BIGINT NOT NULL,
    "priceExtended" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "url" TEXT COLLATE "C" NOT NULL,
    "support" BOOLEAN NOT NULL,
    "publishedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Purchase" (
    "workspaceId" TEXT COLLATE "C" NOT NULL,
    "code" TEXT COLLATE "C" NOT NULL,
    "itemId" BIGINT NOT NULL,
    "licenseType" TEXT COLLATE "C" NOT NULL,
    "price" BIGINT NOT NULL,
    "currency" TEXT COLLATE "C" NOT NULL,
    "supportedUntil" TIMESTAMPTZ(3),
    "downloaded" BOOLEAN NOT NULL,
    "date" TIMESTAMPTZ(3) NOT NULL,
    "state" "PurchaseState" NOT NULL,

    CONSTRAINT "Purchase_pkey" PRIMARY KEY ("workspaceId","code")
);

-- CreateTable
CREATE TABLE "Revision" (
    "workspaceId" TEXT COLLATE "C" NOT NULL,
    "access" BIGINT NOT NULL,
    "catalogue" BIGINT NOT NULL,
    "sales" BIGINT NOT NULL,

    CONSTRAINT "Revision_pkey" PRIMARY KEY ("workspaceId")
);

-- CreateTable
CREATE TABLE "ItemChange" (
    "workspaceId" TEXT COLLATE "C" NOT NULL,
    "itemId" BIGINT NOT NULL,
    "revision" BIGINT NOT NULL,

    CONSTRAINT "ItemChange_pkey" PRIMARY KEY ("workspaceId","itemId")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "action" TEXT COLLATE "C" NOT NULL,
    "actor" TEXT COLLATE "C" NOT NULL,
    "workspaceId" TEXT COLLATE "C",
    "subject" TEXT COLLATE "C",
    "previousHash" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("number")
);

-- CreateTable
CREATE TABLE "AuditHead" (
    "id" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "identity" TEXT COLLATE "C" NOT NULL,
    "seal" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "AuditHead_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Account_username_key" ON "Account"("username");

-- CreateIndex
CREATE INDEX "Session_accountId_idx" ON "Session"("accountId");

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

-- CreateIndex
CREATE INDEX "ItemChange_workspaceId_revision_idx" ON "ItemChange"("workspaceId", "revision");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Workspace" ADD CONSTRAINT "Workspace_accountId_fkey" FOREIGN KEY ("accountId") REFERENCES "Account"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKeyItem" ADD CONSTRAINT "ApiKeyItem_workspaceId_keyId_fkey" FOREIGN KEY ("workspaceId", "keyId") REFERENCES "ApiKey"("workspaceId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKeyItem" ADD CONSTRAINT "ApiKeyItem_workspaceId_itemId_fkey" FOREIGN KEY ("workspaceId", "itemId") REFERENCES "Item"("workspaceId", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Item" ADD CONSTRAINT "Item_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "Workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Purchase" ADD CONSTRAINT "Purchase_workspaceId_itemId_fkey" FOREIGN KEY ("workspaceId", "itemId") REFERENCES "Item"("workspaceId", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
