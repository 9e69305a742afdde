import type { Messages } from '../en/index.ts'

export const purchases = {
  filters: 'Filtros',
  licenses: { Regular: 'Regular', Extended: 'Estendida' },
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
  anyState: 'Qualquer status',
  audited: 'A alteração fica registrada no log de auditoria.',
} satisfies Messages['purchases']
