import type { GettingStartedMessages } from '../en/getting-started.ts'

export const gettingStarted = {
  title: 'Boas-vindas! Comece em poucos passos',
  titleWithSales: 'Próximos passos',
  text: 'Nenhum código foi validado neste workspace neste período. As validações aparecem aqui em segundos.',
  steps: {
    sales: {
      title: 'Adicione suas vendas',
      text: 'Importe um arquivo ou crie um item e registre as vendas dele.',
      action: 'Importar',
    },
    key: {
      title: 'Gere uma chave',
      text: 'Seu programa a envia em cada requisição.',
      action: 'Gerar chave',
    },
    code: {
      title: 'Verifique um código',
      text: 'Veja a resposta da API ao código de um cliente.',
      action: 'Verificar código',
    },
    snippet: {
      title: 'Integre seu programa',
      text: 'Código pronto para curl, JavaScript e PHP.',
      action: 'Mostrar código',
    },
  },
} satisfies GettingStartedMessages
