import type { PurchaseState } from '@saleproof/schema/constants'
import type { ActivityAbout, ActivityMessages } from '../en/activity.ts'
import { plural } from '../plural.ts'

const purchaseChanges = {
  active: ({ who, purchase }: ActivityAbout) => `${who} reativou ${purchase}.`,
  refunded: ({ who, purchase }: ActivityAbout) => `${who} marcou ${purchase} como reembolsada.`,
  revoked: ({ who, purchase }: ActivityAbout) => `${who} revogou ${purchase}.`,
} satisfies Record<PurchaseState, unknown>

export const activity = {
  lead: 'O que foi feito neste workspace, com sua conta e com o serviço, e por quem.',
  kind: 'Tipo',
  anyKind: 'Todos os tipos',
  kinds: {
    keys: 'Chaves de API',
    purchases: 'Compras',
    items: 'Itens',
    data: 'Importações e exportações',
    settings: 'Workspace',
    account: 'Conta e senha',
    sign_ins: 'Entradas e sessões',
    service: 'Serviço',
  },
  by: 'Por',
  anyone: 'Qualquer pessoa',
  actors: {
    account: 'Você',
    cli: 'Linha de comando',
    admin_import: 'Programas com o token de administração',
  },
  what: 'O quê',
  when: 'Quando',
  none: 'Nenhuma atividade encontrada',
  noneText: 'Escolha outro tipo ou outra pessoa.',
  showAll: 'Mostrar toda a atividade',
  removedAccount: 'Uma conta removida',
  commandLine: 'A linha de comando',
  adminProgram: 'Um programa com o token de administração',
  key: (name: string) => `a chave ${name}`,
  someKey: 'uma chave',
  item: (name: string) => `o item ${name}`,
  someItem: 'um item',
  purchase: (code: string) => `a compra ${code}`,
  somePurchase: 'uma compra',
  items: (count: number) => plural('pt', count, { one: 'item', other: 'itens' }),
  purchases: (count: number) => plural('pt', count, { one: 'compra', other: 'compras' }),
  fromFile: (name: string, profile: string) =>
    profile === 'none' ? ` de ${name}` : ` de ${name} (${profile})`,
  sentences: {
    'key.created': ({ who, key }) => `${who} criou ${key}.`,
    'key.rotated': ({ who, key }) => `${who} trocou ${key}.`,
    'key.shown': ({ who, key }) => `${who} mostrou ${key} novamente.`,
    'key.revoked': ({ who, key }) => `${who} revogou ${key}.`,
    'signing_key.created': ({ who }) => `${who} criou uma chave de assinatura.`,
    'signing_key.retired': ({ who }) => `${who} aposentou uma chave de assinatura.`,
    'purchase.created': ({ who, purchase }) => `${who} registrou ${purchase} manualmente.`,
    'purchase.edited': ({ who, purchase }) => `${who} editou ${purchase}.`,
    'customer.erased': ({ who }) => `${who} apagou um cliente.`,
    'purchase.removed': ({ who }) => `${who} removeu uma compra.`,
    'purchase.changed': (about) =>
      about.state
        ? purchaseChanges[about.state](about)
        : `${about.who} alterou o status de ${about.purchase}.`,
    'item.edited': ({ who, item }) => `${who} editou ${item}.`,
    'item.withdrawn': ({ who, item }) => `${who} retirou ${item}.`,
    'item.restored': ({ who, item }) => `${who} trouxe ${item} de volta.`,
    'item.removed': ({ who, item }) => `${who} removeu ${item}.`,
    import: ({ who, records, file }) =>
      records ? `${who} criou ou alterou ${records}${file}.` : `${who} importou registros${file}.`,
    export: ({ who, by }) =>
      by === 'cli' ? `${who} exportou tudo, inclusive as chaves.` : `${who} exportou compras.`,
    'workspace.created': ({ who }) => `${who} criou este workspace.`,
    'workspace.changed': ({ who }) => `${who} alterou as configurações deste workspace.`,
    'account.created': ({ who }) => `${who} criou sua conta.`,
    'account.changed': ({ who }) => `${who} alterou seu perfil.`,
    'account.removed': ({ who }) => `${who} apagou os dados pessoais da sua conta.`,
    'password.changed': ({ who }) => `${who} alterou sua senha.`,
    'password.reset': ({ who }) => `${who} definiu uma nova senha com um link de redefinição.`,
    'reset_link.created': ({ who }) => `${who} criou um link para redefinir sua senha.`,
    login: ({ who }) => `${who} entrou.`,
    'login.failed': ({ who }) => `Uma senha incorreta foi digitada para ${who}.`,
    logout: ({ who }) => `${who} saiu.`,
    'session.ended': ({ who }) => `${who} encerrou uma sessão.`,
    'sessions.ended': ({ who }) => `${who} encerrou todas as outras sessões.`,
    backup: ({ who }) => `${who} fez um backup do serviço.`,
    restore: ({ who }) => `${who} restaurou o serviço a partir de um backup.`,
    'secret.rotated': ({ who }) => `${who} trocou o segredo do serviço.`,
    transfer: ({ who }) => `${who} transferiu o serviço para outro banco de dados.`,
    'writes.lost': ({ who }) => `${who} iniciou o serviço sem alterações que o banco de dados perdeu.`,
  },
} satisfies ActivityMessages
