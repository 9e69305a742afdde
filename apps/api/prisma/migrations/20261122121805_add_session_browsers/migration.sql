-- AlterTable
ALTER TABLE "Session" ADD COLUMN "browser" TEXT;
ALTER TABLE "Session" ADD COLUMN "platform" TEXT;
