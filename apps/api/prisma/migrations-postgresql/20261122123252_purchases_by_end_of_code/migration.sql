-- Finds purchases by the last characters of their codes. The Prisma schema has no indexes of expressions.
CREATE INDEX "Purchase_end_of_code_idx" ON "Purchase"("workspaceId", substr("code", length("code") - 3));
