import type { Messages } from '../en.ts'

export const check = {
  title: 'Conferir um código',
  lead: 'Cole o que o cliente enviou, do jeito que veio. Você vê o que a API responde e por quê.',
  code: 'Código de compra',
  key: 'Perguntar com',
  anyKey: 'Uma chave secreta deste workspace',
  submit: 'Conferir',
  again: 'Conferir outro código',
  stamps: { good: 'Válido', bad: 'Inválido', warn: 'Sem resposta' },
  why: 'Por quê',
  todo: 'O que fazer',
  purchase: 'A compra',
  open: 'Abrir a compra',
  toWorkspace: (slug: string) => `Ir para o workspace ${slug}`,
  answers: 'O que a API responde',
  answersText: 'Quem chama recebe a resposta no idioma que pede.',
  status: 'Status',
  headers: 'Cabeçalhos',
  body: 'Corpo',
  quiet: 'Esta consulta não conta nas estatísticas nem em nenhum limite.',
  empty: 'Um cliente diz que um código não funciona?',
  emptyText: 'Espaços, outros hifens e caracteres invisíveis de um e-mail não fazem mal: a API os remove.',
  reasons: {
    valid: {
      title: 'O código é válido',
      text: 'A compra existe e está ativa.',
      todo: 'Nada. Se o programa do cliente ainda o recusa, veja a chave que o programa usa e se ele pergunta a este serviço.',
    },
    valid_as_paste: {
      title: 'O código é válido depois de limpo',
      text: 'Ele veio com espaços, outros hifens ou caracteres invisíveis. A API o aceita assim mesmo.',
      todo: 'Nada. Se o programa do cliente o recusa antes de perguntar à API, envie o código limpo.',
    },
    refunded: {
      title: 'A compra foi reembolsada',
      text: 'O código foi vendido, e sua compra está marcada como reembolsada. Ela não dá mais direito a nada.',
      todo: 'Se for um engano, abra a compra e reative-a.',
    },
    revoked: {
      title: 'A compra foi revogada',
      text: 'O código foi vendido, e sua compra foi revogada. Ela não dá mais direito a nada.',
      todo: 'Se for um engano, abra a compra e reative-a.',
    },
    other_item: {
      title: 'Esta chave não pode ver o item',
      text: 'O código é bom, mas esta chave publicável está ligada a outros itens.',
      todo: 'Use uma chave deste item, ou uma que não esteja ligada a nenhum. Talvez o cliente use o código de outro produto seu.',
    },
    other_workspace: {
      title: 'Foi vendido em outro workspace seu',
      text: 'Uma chave só vê o próprio workspace. Para ela, este código não existe.',
      todo: 'Pergunte com uma chave daquele workspace.',
    },
    other_case: {
      title: 'Maiúsculas e minúsculas estão trocadas',
      text: 'Há uma compra cujo código só difere em maiúsculas e minúsculas.',
      todo: 'Envie ao cliente o código como ele é, para copiar e não digitar.',
    },
    cut_off: {
      title: 'Falta o final',
      text: 'Há uma compra cujo código começa assim. O código não foi copiado até o fim.',
      todo: 'Peça ao cliente o código inteiro, ou envie-o.',
    },
    too_short: {
      title: 'É curto demais para um código',
      text: 'Nenhuma compra tem este código, e ele é mais curto do que os códigos são.',
      todo: 'Peça ao cliente que copie o código do e-mail ou do recibo.',
    },
    not_found: {
      title: 'Nenhuma compra tem este código',
      text: 'Ele foi digitado errado, ou nunca foi vendido aqui.',
      todo: 'Peça o recibo e procure a compra pelo dia e pelo item.',
    },
    empty: {
      title: 'Não há código',
      text: 'Nada além de espaços foi enviado.',
      todo: 'Veja se o programa envia o campo que o cliente preencheu.',
    },
    too_long: {
      title: 'É longo demais para um código',
      text: 'Tem mais de 255 caracteres.',
      todo: 'Peça só o código: talvez uma mensagem inteira tenha sido colada.',
    },
    malformed: {
      title: 'Nenhum código é assim',
      text: 'Contém caracteres que nenhum texto pode ter.',
      todo: 'Peça ao cliente que copie o código mais uma vez, de outro lugar.',
    },
    key_expired: {
      title: 'A chave venceu',
      text: 'Seja qual for o código, a API recusa esta chave. Isso nada diz sobre a compra.',
      todo: 'Gere uma nova chave em Acesso à API e coloque-a onde esta é usada.',
    },
    key_revoked: {
      title: 'A chave foi revogada',
      text: 'Seja qual for o código, a API recusa esta chave. Isso nada diz sobre a compra.',
      todo: 'Use uma chave ativa: o Acesso à API as lista.',
    },
  },
} satisfies Messages['check']
