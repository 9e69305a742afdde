import { plural } from '../plural.ts'

const row = { one: 'linha', other: 'linhas' }

export const imports = {
  lead: 'Traga vendas de um arquivo CSV, ou itens e vendas no formato de importação. Tudo é verificado antes.',
  file: 'Arquivo',
  fileHint:
    'CSV de uma loja, de um serviço de pagamento ou de uma planilha, ou NDJSON de uma exportação; até 16 MiB.',
  unreadable: 'Não foi possível ler o arquivo. Escolha-o de novo.',
  line: 'Linha',
  field: 'Campo',
  problem: 'Problema',
  check: 'Verificar',
  stop: 'Parar',
  stopped: 'Interrompido. Nada foi importado.',
  running: 'Importando',
  checked: 'Nada está errado. Nada foi importado ainda.',
  done: 'O arquivo foi importado.',
  counts: (created: number, updated: number, unchanged: number) =>
    [
      plural('pt', created, { one: 'novo', other: 'novos' }),
      plural('pt', updated, { one: 'alterado', other: 'alterados' }),
      `${plural('pt', unchanged, { one: 'inalterado', other: 'inalterados' })}.`,
    ].join(', '),
  warnings: (count: number) =>
    plural('pt', count, {
      one: 'código tem menos de 12 caracteres: pode ser adivinhado.',
      other: 'códigos têm menos de 12 caracteres: podem ser adivinhados.',
    }),
  nothingText: 'Nada foi importado. Corrija estas linhas no arquivo e escolha-o de novo.',
  recognized: (title: string, rows: number) => `${title}: ${plural('pt', rows, row)} com vendas.`,
  noRows:
    'O arquivo não tem vendas que se possam ler. Salve-o como CSV, com uma linha para cada venda abaixo dos nomes das colunas.',
  from: 'Exportação de',
  anyFile: 'Qualquer arquivo CSV',
  columns: 'Colunas',
  columnsText: 'O que é cada coluna do arquivo. Abaixo de cada uma estão valores dela.',
  more: 'Mais colunas',
  none: 'Não está no arquivo',
  column: (number: number) => `Coluna ${number}`,
  fields: {
    item: 'Nome do item',
    product_id: 'ID do item na loja',
    quantity: 'Quantidade',
    time: 'Hora',
    refunded: 'Reembolsada por inteiro',
    refunded_amount: 'Valor reembolsado',
    disputed: 'Contestada',
    dispute_won: 'Contestação ganha',
    enabled: 'Código ativado',
    no_sale: 'Não é venda',
    repeated: 'Pagamento posterior',
    customer_name: 'Cliente',
    customer_email: 'E-mail do cliente',
  },
  answers: 'Perguntas',
  answersText: 'O que o arquivo não diz.',
  first: (list: string) => `Responda antes: ${list}.`,
  every: (label: string) => `${label} das linhas que não dizem`,
  dates: 'O que 03/04/2026 significa',
  datesUnknown: 'Escolha a ordem',
  dateOrders: { dmy: '3 de abril (dia primeiro)', mdy: '4 de março (mês primeiro)' },
  timeZone: 'Fuso horário',
  timeZoneHint: 'O seu: um dia começa à sua meia-noite.',
  codes: (rows: number) => `${plural('pt', rows, { one: 'linha não tem', other: 'linhas não têm' })} código`,
  codesUnknown: 'Escolha o que acontece',
  codeAnswers: { make: 'Criar códigos para elas', skip: 'Deixá-las de fora' },
  items: 'Itens',
  itemsText: 'Qual dos seus itens é cada um do arquivo. Fica guardado para o próximo arquivo desta loja.',
  moreItems:
    'O arquivo tem mais itens do que estes. As linhas dos outros voltam com um problema: importe-as depois.',
  inFile: 'No arquivo',
  rows: 'Linhas',
  item: 'Seu item',
  itemless: 'Linhas sem item',
  newItem: (name: string) => `Criar “${name}”`,
  submitGood: (count: number) =>
    count === 1 ? 'Importar a linha boa' : `Importar as ${plural('pt', count, { other: 'linhas boas' })}`,
  problems: (count: number, more: boolean) =>
    `${more ? 'Mais de ' : ''}${plural('pt', count, row)} com problemas`,
  problemsText: 'Elas ficam de fora até você corrigi-las.',
  where: (rows: number, line: number) =>
    rows === 1 ? `Linha ${line}` : `${plural('pt', rows, row)}, como a linha ${line}`,
  andLine: (line: number) => `e linha ${line}`,
  whole: 'Linha',
  download: 'Baixar estas linhas',
  balance: (rows: number, more: number) =>
    more > 0
      ? `${plural('pt', rows, row)} no arquivo, e ${plural('pt', more, { one: 'outra', other: 'outras' })} por causa de quantidades:`
      : `${plural('pt', rows, row)} no arquivo:`,
  outcome: {
    created: 'Novas',
    updated: 'Alteradas',
    unchanged: 'Inalteradas',
    skipped: 'Puladas',
    rejected: 'Com problemas',
  },
  skipped: {
    blank: 'em branco',
    header: 'cabeçalho repetido',
    total: 'totais',
    no_sale: 'não é venda',
    repeated: 'pagamento posterior',
    no_code: 'sem código',
    given_twice: 'dada duas vezes',
  },
  partial: (count: number) =>
    plural('pt', count, {
      one: 'venda foi reembolsada em parte: o código continua válido.',
      other: 'vendas foram reembolsadas em parte: os códigos continuam válidos.',
    }),
  oneCode: (count: number) =>
    `${plural('pt', count, { one: 'linha tem', other: 'linhas têm' })} um só código para várias unidades: uma venda cada.`,
  kept: (count: number) =>
    `${plural('pt', count, { one: 'venda continua reembolsada ou revogada', other: 'vendas continuam reembolsadas ou revogadas' })}, como está salvo.`,
  sums: 'Somas',
  sales: 'Vendas',
  amount: 'Valor',
}
