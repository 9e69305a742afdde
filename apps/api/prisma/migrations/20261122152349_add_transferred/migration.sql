-- AlterTable
ALTER TABLE "Deployment" ADD COLUMN "transferredTo" TEXT;
