import type { CappedCount } from '@saleproof/schema/console'
import type { CheckMessages } from '../en/check.ts'
import { plural } from '../plural.ts'

export const check = {
  lead: 'Cole o código exatamente como o cliente o enviou. Você vê a resposta da API e o motivo.',
  key: 'Chave de API',
  anyKey: 'Qualquer chave secreta deste workspace',
  submit: 'Verificar',
  stamps: { success: 'Válido', error: 'Inválido', warning: 'Indefinido', near: 'Quase' },
  nextStep: 'O que fazer',
  onceActive: 'Quando estiver ativa de novo',
  openPurchase: 'Abrir a compra',
  customer: ({ count, more }: CappedCount) =>
    `${more ? 'Mais de ' : ''}${plural('pt', count, { one: 'compra', other: 'compras' })} deste cliente`,
  search: 'Buscar nas compras',
  meant: 'O cliente provavelmente quer dizer',
  goToWorkspace: (slug: string) => `Ir para o workspace ${slug}`,
  responses: 'Resposta da API',
  responsesText: 'A API responde no idioma que a requisição pede.',
  status: 'Status',
  headers: 'Cabeçalhos',
  body: 'Corpo',
  notCounted: 'Esta verificação não conta nas estatísticas nem nos limites de requisições.',
  empty: 'Um cliente diz que um código não funciona?',
  emptyText: 'Espaços, outros tipos de hífen e caracteres invisíveis não são problema: a API os remove.',
  reasons: {
    valid: {
      title: 'O código é válido',
      text: 'A compra existe e está ativa.',
      nextStep:
        'Nada. Se o programa do cliente ainda o recusa, confira a chave e a URL do serviço que o programa usa.',
    },
    valid_as_paste: {
      title: 'O código é válido depois da limpeza',
      text: 'Ele contém espaços, outros tipos de hífen ou caracteres invisíveis. A API o aceita mesmo assim.',
      nextStep: 'Nada. Se o programa do cliente o recusa antes de chamar a API, envie o código limpo.',
    },
    refunded: {
      title: 'A compra foi reembolsada',
      text: 'O código foi vendido, mas a compra está marcada como reembolsada.',
      nextStep: 'Se for um engano, abra a compra e reative-a.',
    },
    revoked: {
      title: 'A compra foi revogada',
      text: 'O código foi vendido, mas a compra foi revogada.',
      nextStep: 'Se for um engano, abra a compra e reative-a.',
    },
    other_item: {
      title: 'A chave não vale para este item',
      text: 'O código é válido, mas esta chave publicável está limitada a outros itens.',
      nextStep:
        'Use uma chave deste item ou uma que valha para todos os itens. O cliente também pode estar usando o código de outro produto.',
    },
    other_workspace: {
      title: 'O código foi vendido em outro workspace',
      text: 'Uma chave só tem acesso ao próprio workspace, onde este código não existe.',
      nextStep: 'Use uma chave daquele workspace.',
    },
    in_text: {
      title: 'O texto contém um código vendido aqui',
      text: 'O cliente colou mais do que o código. A API toma o texto inteiro como código e o recusa.',
      nextStep: 'Envie só o código ao cliente e peça que ele não cole mais nada.',
    },
    other_case: {
      title: 'Maiúsculas e minúsculas não conferem',
      text: 'Há uma compra cujo código só difere em letras maiúsculas e minúsculas.',
      nextStep: 'Envie o código correto ao cliente e peça que ele copie em vez de digitar.',
    },
    other_dashes: {
      title: 'Os hifens não conferem',
      text: 'Há uma compra com as mesmas letras e os mesmos números, mas com hifens em outros lugares.',
      nextStep: 'Envie o código correto ao cliente e peça que ele o copie com os hifens.',
    },
    typo: {
      title: 'O código provavelmente tem um erro de digitação',
      text: 'Há uma compra cujo código difere em um caractere ou em dois que se parecem.',
      nextStep: 'Compare o item e a data com o recibo e envie o código correto ao cliente.',
    },
    api_key: {
      title: 'Isto é uma chave de API',
      text: 'O texto contém uma chave de API da sua conta, não um código de compra. Ela foi removida do campo.',
      nextStep:
        'Se um cliente a enviou, revogue essa chave: quem a viu pode usá-la. Depois peça o código de compra.',
    },
    cut_off: {
      title: 'O código está incompleto',
      text: 'Há uma compra cujo código tem esta parte. Falta o resto.',
      nextStep: 'Peça o código completo ao cliente ou envie-o.',
    },
    customer: {
      title: 'O texto indica um cliente',
      text: 'Ele não contém um código vendido aqui, mas o e-mail ou o pedido de um cliente.',
      nextStep: 'Abra as compras e envie ao cliente o código da compra certa.',
    },
    too_short: {
      title: 'O código é curto demais',
      text: 'Nenhuma compra tem este código, e ele é mais curto do que os códigos costumam ser.',
      nextStep: 'Peça ao cliente que copie o código do e-mail ou do recibo.',
    },
    not_found: {
      title: 'Nenhuma compra tem este código',
      text: 'Ele foi digitado errado ou não foi vendido aqui.',
      nextStep: 'Peça o recibo e procure a compra pela data e pelo item.',
    },
    empty: {
      title: 'O código está vazio',
      text: 'Só espaços foram enviados.',
      nextStep: 'Confira se o programa envia o campo que o cliente preencheu.',
    },
    too_long: {
      title: 'O código é longo demais',
      text: 'Ele tem mais de 255 caracteres.',
      nextStep: 'Peça só o código: o cliente pode ter colado uma mensagem inteira.',
    },
    malformed: {
      title: 'O código tem caracteres inválidos',
      text: 'Ele contém caracteres que não podem fazer parte de um texto.',
      nextStep: 'Peça ao cliente que copie o código de novo, de outro lugar.',
    },
    key_expired: {
      title: 'A chave expirou',
      text: 'A API recusa esta chave, qualquer que seja o código. Isso não diz nada sobre a compra.',
      nextStep: 'Gere uma nova chave em Acesso à API e substitua esta.',
    },
    key_revoked: {
      title: 'A chave foi revogada',
      text: 'A API recusa esta chave, qualquer que seja o código. Isso não diz nada sobre a compra.',
      nextStep: 'Use uma chave ativa: veja Acesso à API.',
    },
  },
} satisfies CheckMessages
