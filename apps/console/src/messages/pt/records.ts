import { plural } from '../plural.ts'

export const records = {
  title: 'Importar',
  lead: 'Traga vendas de um arquivo CSV, ou itens e vendas no formato de importação. Tudo é verificado antes.',
  file: 'Arquivo',
  fileHint:
    'CSV de uma loja, de um serviço de pagamento ou de uma planilha, ou NDJSON de uma exportação; até 16 MiB.',
  unreadable: 'Não foi possível ler o arquivo. Escolha-o de novo.',
  columns: { line: 'Linha', field: 'Campo', problem: 'Problema' },
  check: 'Verificar',
  submit: 'Importar',
  stop: 'Parar',
  stopped: 'Interrompido. Nada foi importado.',
  running: 'Importando',
  checked: 'Nada está errado. Nada foi importado ainda.',
  done: 'Os registros foram importados.',
  counts: (created: number, updated: number, unchanged: number) =>
    `${created} novos, ${updated} alterados, ${unchanged} inalterados.`,
  warnings: (count: number) =>
    `${plural('pt', count, { one: 'código tem', other: 'códigos têm' })} menos de 12 caracteres: podem ser adivinhados.`,
  problems: (count: number, more: boolean) =>
    `${more ? 'Mais de ' : ''}${plural('pt', count, { one: 'problema', other: 'problemas' })}`,
  problemsTitle: 'Problemas',
  problemsText: 'Nada foi importado. Corrija estas linhas no arquivo e escolha-o de novo.',
}
