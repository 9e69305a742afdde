-- The codes that failed lately, encrypted. In SQLite they have a file of their own, so no model knows of them.
CREATE TABLE "FailedCode" (
    "workspaceId" TEXT COLLATE "C" NOT NULL,
    "reason" TEXT COLLATE "C" NOT NULL,
    "hash" TEXT COLLATE "C" NOT NULL,
    "sealed" TEXT COLLATE "C" NOT NULL,
    "keyId" TEXT COLLATE "C" NOT NULL,
    "lastAt" BIGINT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "FailedCode_pkey" PRIMARY KEY ("workspaceId","reason","hash")
);
