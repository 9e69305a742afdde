-- AlterTable
ALTER TABLE "Item" ADD COLUMN     "withdrawnAt" TIMESTAMPTZ(3);
