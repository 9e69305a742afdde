-- What used a key last: the operation, and the program as its User-Agent names it.
ALTER TABLE "KeyUse" ADD COLUMN "operation" TEXT COLLATE "C", ADD COLUMN "client" TEXT COLLATE "C";
