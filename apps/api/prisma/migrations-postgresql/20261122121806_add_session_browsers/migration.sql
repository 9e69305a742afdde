-- AlterTable
ALTER TABLE "Session" ADD COLUMN     "browser" TEXT COLLATE "C",
ADD COLUMN     "platform" TEXT COLLATE "C";
