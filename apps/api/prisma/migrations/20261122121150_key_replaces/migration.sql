-- AlterTable
ALTER TABLE "ApiKey" ADD COLUMN "replacesId" TEXT;
