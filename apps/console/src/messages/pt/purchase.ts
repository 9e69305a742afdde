import type { CappedCount } from '@saleproof/schema/console'
import type { PurchaseMessages } from '../en/purchase.ts'
import { plural } from '../plural.ts'

export const purchase = {
  allItems: 'Todos os itens',
  anyLicense: 'Qualquer licença',
  otherLicense: 'Outro nome …',
  licenseName: 'Nome da licença',
  from: 'De',
  to: 'Até',
  lead: 'Todas as vendas e quem comprou. Só compras ativas são válidas.',
  searchLabel: 'Buscar por código ou cliente',
  searchPlaceholder: 'Código ou cliente',
  searchHint: (count: number) =>
    `Um código, ou pelo menos ${count} caracteres do começo ou do fim dele. Ou o começo de um nome, e-mail, pedido ou palavra de uma nota.`,
  search: 'Buscar',
  customer: 'Cliente',
  count: ({ count, more }: CappedCount) =>
    `${more ? 'Mais de ' : ''}${plural('pt', count, { one: 'compra', other: 'compras' })}`,
  paid: (sums: string) => `${sums} pagos`,
  addingUp: 'Somando…',
  tooManyToAdd: 'Compras demais para somar',
  searchingOlder: 'Buscando compras mais antigas…',
  noneFound: 'Nenhuma compra encontrada',
  noneFoundText: 'Remova um filtro ou escolha outras datas.',
  codeNotFoundText:
    'Nenhum código é assim nem começa ou termina assim, e nada de um cliente começa assim. Pode ter sido digitado errado ou ser de outra loja.',
  codeTooShort: (count: number) =>
    `Nada de um cliente começa assim. Menos de ${count} caracteres só encontram um código inteiro: digite mais do começo ou do fim dele.`,
  explainCode: 'Por que este código falha?',
  clear: 'Mostrar todas as compras',
  none: 'Ainda não há compras',
  noneText:
    'Importe um arquivo, registre uma venda à mão ou deixe sua loja enviar as vendas quando acontecem (POST /admin/import).',
  recordSale: 'Registrar uma venda',
  exportList: 'Exportar',
  removed: 'A compra foi removida.',
  detail: {
    title: 'Compra',
    copyCode: 'Copiar código de compra',
    noSupport: 'Sem suporte',
    yes: 'Sim',
    no: 'Ainda não',
    response: 'Resposta da API',
    responseWhileActive: 'Resposta da API enquanto a compra está ativa',
    erase: {
      heading: 'Apagar o cliente',
      lead: 'Remove nome, e-mail, pedido e nota de todas as compras deste cliente, que continuam válidas.',
    },
    remove: {
      heading: 'Remover a compra',
      lead: 'A compra é excluída definitivamente e sai das estatísticas de vendas. Para desfazer uma venda, marque-a como reembolsada.',
    },
  },
  history: {
    title: 'Histórico',
    what: 'O quê',
    sold: 'Vendida',
    recorded: 'Registrada à mão',
    imported: {
      active: 'Importada',
      refunded: 'Importada como reembolsada',
      revoked: 'Importada como revogada',
    },
    edited: (fields: string) => `Alterado: ${fields},`,
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
  actions: {
    refund: 'Marcar como reembolsada',
    revoke: 'Revogar',
    reinstate: 'Reativar',
    remove: 'Remover',
    erase: 'Apagar',
  },
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
    erase: {
      title: 'Apagar este cliente?',
      text: 'Nome, e-mail, pedido e nota são removidos de todas as compras com este e-mail. Os códigos continuam válidos. Não é possível desfazer.',
    },
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
  edit: { open: 'Editar', title: 'Editar a compra', done: 'A compra foi alterada.' },
  erased: (count: number) =>
    `O cliente foi apagado de ${plural('pt', count, { one: 'compra', other: 'compras' })}.`,
  sale: {
    codeHint: 'Gerado. Substitua-o para usar um código seu.',
    supportedUntil: 'Suporte até (opcional)',
    extend: (months: number) => `Mais ${months} meses de suporte`,
    customer: 'Cliente (opcional)',
    customerText: 'Só você vê isto: nenhuma resposta da API o contém.',
    shortCode: 'Este código tem menos de 12 caracteres: pode ser adivinhado.',
    back: 'Outro item',
    submit: 'Registrar a venda',
    done: 'A venda está registrada: o código é válido. Envie-o ao cliente.',
  },
  export: {
    title: 'Exportar compras',
    text: (count: string) =>
      `${count}, com os filtros atuais. O arquivo contém códigos de compra: mantenha-o em sigilo.`,
    format: 'Formato',
    formats: { csv: 'CSV', ndjson: 'NDJSON' },
    formatTexts: { csv: 'Para planilhas.', ndjson: 'Um registro por linha, no formato da importação.' },
    submit: 'Baixar',
    done: 'O arquivo foi baixado.',
  },
} satisfies PurchaseMessages
