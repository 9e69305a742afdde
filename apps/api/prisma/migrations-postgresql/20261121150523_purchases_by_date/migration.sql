-- CreateIndex
CREATE INDEX "Purchase_workspaceId_date_code_idx" ON "Purchase"("workspaceId", "date" DESC, "code" DESC);

-- CreateIndex
CREATE INDEX "Purchase_inactive_idx" ON "Purchase"("workspaceId", "date" DESC, "code" DESC) WHERE ("state" != 'active');
