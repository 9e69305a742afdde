import type { CappedCount } from '@saleproof/schema/console'
import type { Messages } from '../en/index.ts'
import { plural } from '../plural.ts'

export const purchases = {
  title: 'Compras',
  lead: 'Todas as vendas e quem comprou. Só compras ativas são válidas.',
  searchLabel: 'Buscar por código ou cliente',
  searchPlaceholder: 'Código, nome, e-mail ou pedido',
  searchHint: (count: number) =>
    `Um código, ou pelo menos ${count} caracteres do começo ou do fim dele. Ou o começo de um nome, e-mail, pedido ou palavra de uma nota.`,
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
    refunded_at: 'Reembolsada em',
    customer_name: 'Nome',
    customer_email: 'E-mail',
    order: 'Pedido',
    note: 'Nota',
  },
  customer: 'Cliente',
  count: ({ count, more }: CappedCount) =>
    `${more ? 'Mais de ' : ''}${plural('pt', count, { one: 'compra', other: 'compras' })}`,
  searchingOlder: 'Buscando compras mais antigas…',
  noneFound: 'Nenhuma compra encontrada',
  noneFoundText: 'Remova um filtro ou escolha outras datas.',
  codeNotFound: 'Nenhuma compra encontrada',
  codeNotFoundText:
    'Nenhum código é assim nem começa ou termina assim, e nada de um cliente começa assim. Pode ter sido digitado errado ou ser de outra loja.',
  codeTooShort: (count: number) =>
    `Nada de um cliente começa assim. Menos de ${count} caracteres só encontram um código inteiro: digite mais do começo ou do fim dele.`,
  explainCode: 'Por que este código falha?',
  clear: 'Mostrar todas as compras',
  none: 'Ainda não há compras',
  noneText:
    'Importe um arquivo, registre uma venda à mão ou deixe sua loja enviar as vendas quando acontecem (POST /admin/import).',
  audited: 'A alteração fica registrada no log de auditoria.',
  recordSale: 'Registrar uma venda',
  exportList: 'Exportar',
  removed: 'A compra foi removida.',
} satisfies Messages['purchases']
