-- In which hour a key was last used from an address of each of 256 slots. In SQLite it has a file of its own, so no model knows of it.
CREATE TABLE "KeyAddress" (
    "keyId" TEXT COLLATE "C" NOT NULL,
    "slot" INTEGER NOT NULL,
    "hour" INTEGER NOT NULL,

    CONSTRAINT "KeyAddress_pkey" PRIMARY KEY ("keyId", "slot")
);
