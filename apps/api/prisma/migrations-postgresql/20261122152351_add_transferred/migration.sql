-- AlterTable
ALTER TABLE "Deployment" ADD COLUMN     "transferredTo" TEXT COLLATE "C";
