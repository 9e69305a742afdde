/**
 * Where each table would be in a distributed database. `workspace`: spread over the machines by its workspace; rows of one workspace
 * stay together. `everywhere`: small, seldom written, a copy on each machine. A new model belongs into one of them.
 */
export const placement: Readonly<Record<string, 'workspace' | 'everywhere'>> = {
  Deployment: 'everywhere',
  Account: 'everywhere',
  Session: 'everywhere',
  Workspace: 'everywhere',
  ApiKey: 'everywhere',
  AuditEntry: 'everywhere',
  AuditHead: 'everywhere',
  ApiKeyItem: 'workspace',
  Item: 'workspace',
  ItemChange: 'workspace',
  Purchase: 'workspace',
  Revision: 'workspace',
}

export const spread = Object.keys(placement).filter((name) => placement[name] === 'workspace')
