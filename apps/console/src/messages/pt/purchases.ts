import type { CappedCount } from '@saleproof/schema/console'
import type { Messages } from '../en/index.ts'
import { plural } from '../plural.ts'

export const purchases = {
  title: 'Compras',
  lead: 'Todas as vendas por código de compra. Só compras ativas são válidas.',
  searchLabel: 'Buscar por código de compra',
  searchPlaceholder: 'Cole um código de compra',
  searchHint: (count: number) =>
    `O código inteiro, ou pelo menos ${count} caracteres do começo ou do fim dele.`,
  search: 'Buscar',
  filters: 'Filtros',
  allItems: 'Todos os itens',
  itemNumber: (id: number) => `Item ${id}`,
  chooseItem: 'Selecionar um item',
  anyLicense: 'Qualquer licença',
  licenses: { Regular: 'Regular', Extended: 'Estendida' },
  otherLicense: 'Outro nome …',
  licenseName: 'Nome da licença',
  anyState: 'Qualquer status',
  from: 'De',
  to: 'Até',
  states: { active: 'Ativa', refunded: 'Reembolsada', revoked: 'Revogada' },
  fields: {
    purchase_code: 'Código de compra',
    item: 'Item',
    license_type: 'Licença',
    price: 'Preço pago',
    currency: 'Moeda',
    date: 'Data',
    supported_until: 'Suporte até',
    downloaded: 'Baixado',
    state: 'Status',
  },
  count: ({ count, more }: CappedCount) =>
    `${more ? 'Mais de ' : ''}${plural('pt', count, { one: 'compra', other: 'compras' })}`,
  searchingOlder: 'Buscando compras mais antigas…',
  noneFound: 'Nenhuma compra encontrada',
  noneFoundText: 'Remova um filtro ou escolha outras datas.',
  codeNotFound: 'Nenhuma compra tem este código',
  codeNotFoundText:
    'E nenhum código começa ou termina assim. Ele pode ter sido digitado errado ou ser de outra loja.',
  codeTooShort: (count: number) =>
    `Menos de ${count} caracteres só encontram um código inteiro. Digite mais do começo ou do fim dele.`,
  explainCode: 'Por que este código falha?',
  clear: 'Mostrar todas as compras',
  none: 'Ainda não há compras',
  noneText:
    'Importe um arquivo, registre uma venda à mão ou deixe sua loja enviar as vendas quando acontecem (POST /admin/import).',
  detail: {
    title: 'Compra',
    copyCode: 'Copiar código de compra',
    noSupport: 'Sem suporte',
    yes: 'Sim',
    no: 'Ainda não',
    response: 'Resposta da API',
    responseWhileActive: 'Resposta da API enquanto a compra está ativa',
  },
  history: {
    title: 'Histórico',
    sold: 'Vendida',
    recorded: 'Registrada à mão',
    imported: {
      active: 'Importada',
      refunded: 'Importada como reembolsada',
      revoked: 'Importada como revogada',
    },
    changed: { active: 'Reativada', refunded: 'Reembolsada', revoked: 'Revogada' },
    by: {
      account: (username: string) => `por ${username}`,
      removedAccount: 'por uma conta removida',
      cli: 'pela linha de comando',
      admin_import: 'pela API de importação',
    },
    firstValidated: 'Primeira validação',
    lastValidated: (count: number) =>
      `Última validação · ${plural('pt', count, { one: 'validação', other: 'validações' })}`,
    validatedOnce: 'Validada uma vez',
    neverValidated: 'Nenhuma validação contada ainda.',
    validationsMayLag: 'A contagem pode estar até um minuto atrasada.',
    validationsUnavailable: 'Não é possível ler as validações no momento.',
    shortened: 'As alterações anteriores já não constam no log de auditoria.',
    timeZone: (name: string) => `Os horários estão no fuso ${name}.`,
  },
  actions: { refund: 'Marcar como reembolsada', revoke: 'Revogar', reinstate: 'Reativar', remove: 'Remover' },
  audited: 'A alteração fica registrada no log de auditoria.',
  confirm: {
    refund: {
      title: 'Marcar esta compra como reembolsada?',
      text: 'O código deixa de ser válido imediatamente. Nenhum valor é transferido: reembolse o cliente no seu sistema de pagamento. Você pode reativar a compra depois.',
    },
    revoke: {
      title: 'Revogar esta compra?',
      text: 'O código deixa de ser válido imediatamente. Use em caso de fraude ou estorno. Você pode reativar a compra depois.',
    },
    reinstate: { title: 'Reativar esta compra?', text: 'O código volta a ser válido imediatamente.' },
    remove: {
      title: 'Remover esta compra definitivamente?',
      text: 'A compra, seu histórico e suas validações são excluídos. O código deixa de ser válido imediatamente. Não é possível desfazer.',
    },
  },
  done: {
    active: 'A compra está ativa: o código é válido.',
    refunded: 'A compra está reembolsada: o código não é mais válido.',
    revoked: 'A compra está revogada: o código não é mais válido.',
  },
  removal: {
    heading: 'Remover a compra',
    lead: 'A compra é excluída definitivamente e sai das estatísticas de vendas. Para desfazer uma venda, marque-a como reembolsada.',
    done: 'A compra foi removida.',
  },
  sale: {
    title: 'Registrar uma venda',
    codeHint: 'Gerado. Substitua-o para usar um código seu.',
    supportedUntil: 'Suporte até (opcional)',
    back: 'Outro item',
    submit: 'Registrar a venda',
    done: 'A venda está registrada: o código é válido. Envie-o ao cliente.',
  },
  export: {
    open: 'Exportar',
    title: 'Exportar compras',
    text: (count: string) =>
      `${count}, com os filtros atuais. O arquivo contém códigos de compra: mantenha-o em sigilo.`,
    format: 'Formato',
    formats: { csv: 'CSV', ndjson: 'NDJSON' },
    formatTexts: { csv: 'Para planilhas.', ndjson: 'Um registro por linha, no formato da importação.' },
    submit: 'Baixar',
    done: 'O arquivo foi baixado.',
  },
} satisfies Messages['purchases']
