-- AlterTable
ALTER TABLE "Item" ADD COLUMN "withdrawnAt" DATETIME;
