-- CreateIndex
CREATE INDEX "AuditEntry_workspaceId_action_number_idx" ON "AuditEntry"("workspaceId", "action", "number");

-- CreateIndex
CREATE INDEX "AuditEntry_workspaceId_actor_action_number_idx" ON "AuditEntry"("workspaceId", "actor", "action", "number");

-- CreateIndex
CREATE INDEX "AuditEntry_subject_action_number_idx" ON "AuditEntry"("subject", "action", "number");

-- CreateIndex
CREATE INDEX "PurchaseChange_workspaceId_entry_idx" ON "PurchaseChange"("workspaceId", "entry");
