import type { DocsMessages } from '../en/docs.ts'

export const docs = {
  title: 'Referência da API',
  lead: 'Leia a conta e os itens de um workspace e valide códigos de compra: HTTP, JSON e uma chave de API.',
  version: (version: string) => `Versão ${version}`,
  nav: {
    label: 'Referência da API',
    contents: 'Conteúdo',
    start: 'Página inicial',
    console: 'Console',
    errors: 'Códigos de erro',
  },
  basics: {
    title: 'Fundamentos',
    baseUrl: 'URL base',
    points: [
      'Toda resposta das quatro operações é um objeto JSON cujo `status` é `success` ou `error`.',
      'Itens e compras têm dois formatos, `base` e `extended`. O parâmetro `shape` escolhe um; sem ele vale o padrão do workspace.',
      'As mensagens são em inglês ou português, conforme `Accept-Language`.',
      'HEAD funciona onde GET funciona: o mesmo status e os mesmos cabeçalhos, sem corpo.',
      'Aceite campos desconhecidos: versões futuras podem acrescentar alguns.',
    ],
  },
  authentication: {
    title: 'Autenticação',
    text: 'Envie a chave de API de um workspace em toda requisição, de uma destas formas:',
    ways: {
      'Authorization: Bearer KEY': 'A forma preferida.',
      'X-Api-Key: KEY': 'Quando um proxy precisa de `Authorization` para si.',
      'api_key=KEY': 'No corpo de um POST ou na query. URLs são gravadas em logs: prefira um cabeçalho.',
    },
    kinds:
      'Uma chave secreta pode chamar todas as operações: mantenha-a em um servidor. Uma chave publicável só valida códigos, também a partir de uma página web de qualquer origem (CORS).',
    create: 'Criar uma chave no console',
  },
  errors: {
    title: 'Erros',
    text: 'Uma falha traz no corpo uma mensagem para pessoas e, no cabeçalho `X-Error-Code`, o motivo para programas. O cabeçalho `Link` leva à explicação.',
    unknown:
      'Um 429 ou um 5xx nada diz sobre a chave ou o código: nunca o trate como “inválido”. Espere os segundos que `Retry-After` indica e tente de novo.',
    example: 'Exemplo de uma falha',
    all: 'Todos os códigos de erro',
    ofEvery: (count: number) => `Erros de todas as operações (${count})`,
  },
  headers: {
    title: 'Cabeçalhos',
    request: 'Das requisições',
    response: 'Das respostas',
  },
  requestTexts: {
    'Accept-Language': 'O idioma das mensagens: a melhor correspondência entre `en` e `pt`.',
    'If-None-Match':
      'O `ETag` de uma resposta que você ainda tem. Se ela não mudou, a resposta é um 304 sem corpo.',
    'X-Request-Id':
      'Seu próprio ID da requisição, de 1 a 64 caracteres de `A-Z a-z 0-9 . _ -`. A resposta o repete.',
    Prefer: '`pass=` e o que o parâmetro `pass` aceita.',
  },
  responseTexts: {
    'X-Purchase-Pass':
      'O passe, se a requisição indicou uma chave de assinatura do workspace: um JWS que comprova a resposta a um programa. As chaves públicas estão em `/.well-known/jwks.json`.',
    'X-Request-Id': 'O ID da requisição nos logs do serviço.',
    'Content-Language': 'O idioma da mensagem.',
    ETag: 'A etiqueta da resposta, para `If-None-Match`. Cada codificação e cada idioma tem a sua.',
    Vary: 'Os cabeçalhos da requisição dos quais a resposta depende.',
    'Cache-Control':
      '`private, no-cache`: pergunte de novo com `If-None-Match` antes de reutilizar. `no-store`: validações e falhas, que não podem ser guardadas.',
    RateLimit:
      'O que resta do limite de requisições e os segundos até ele recomeçar: `"requests";r=599;t=60`.',
    'RateLimit-Policy': 'O limite, em requisições por segundos: `"requests";q=600;w=60`.',
    'Retry-After': 'Os segundos a esperar antes da próxima tentativa.',
    'Access-Control-Allow-Origin':
      'Páginas de qualquer origem podem ler a resposta. Ausente quando uma chave secreta foi enviada: o lugar dela não é um navegador.',
    'Access-Control-Expose-Headers': 'Os cabeçalhos que tal página pode ler.',
    'WWW-Authenticate': 'Como enviar uma chave.',
    'X-Error-Code': 'O motivo de uma falha, para programas.',
    Link: 'A página que explica o erro.',
    Allow: 'Os métodos do caminho.',
  },
  parameterTexts: {
    api_key: 'A chave de API, se nenhum cabeçalho a contém.',
    item_id: 'Dígitos decimais sem zero à esquerda.',
    purchase_code: 'Como o comprador o digitou. Melhor no corpo: URLs são gravadas em logs.',
    shape: 'O formato de itens e compras. Sem ele vale o padrão do workspace.',
    pass: 'Os ids das chaves de assinatura em que você confia, separados por vírgulas: uma resposta válida traz um passe em `X-Purchase-Pass`.',
  },
  statuses: {
    200: 'Sucesso.',
    304: 'Inalterada desde a resposta cujo `ETag` está em `If-None-Match`. Sem corpo.',
  },
  tags: {
    account: 'Conta',
    items: 'Itens',
    purchases: 'Compras',
    admin: 'Administração',
    health: 'Saúde',
  },
  operations: {
    getAccount: {
      title: 'Ler a conta',
      text: 'O vendedor dono do workspace da chave. Igual nos dois formatos. Requer uma chave secreta.',
    },
    listItems: {
      title: 'Listar os itens',
      text: 'Todos os itens do workspace, dos mais novos aos mais antigos. Requer uma chave secreta.',
    },
    getItem: { title: 'Ler um item', text: 'Um item pelo seu ID. Requer uma chave secreta.' },
    validatePurchase: {
      title: 'Validar um código de compra',
      text: 'A compra que o código comprova. Só compras ativas são válidas: uma que foi reembolsada ou revogada é um 404. Também funciona com uma chave publicável, para compras dos itens aos quais ela se limita.',
    },
    importRecords: {
      title: 'Importar registros',
      text: 'Para operadores: guarda itens, vendas e reembolsos de uma loja em outro lugar. O corpo é um objeto JSON por linha no formato de `saleproof import`, com no máximo 16 MiB. Requer o token de `ADMIN_TOKEN` e só existe onde ele está definido. Guarda todos os registros ou nenhum; enviá-los de novo não muda nada.',
      statuses: {
        200: 'Todos os registros foram guardados. `warnings` lista códigos que podem ser adivinhados.',
        422: 'Alguns registros estão errados, e nada foi guardado. `problems` lista os 20 primeiros por linha e campo.',
      },
      errors: {
        missing_api_key: 'Nenhum token foi enviado: envie-o como “Authorization: Bearer TOKEN”.',
        invalid_api_key: 'Este não é o token de “ADMIN_TOKEN”.',
        route_not_found: 'O serviço está sem “ADMIN_TOKEN”.',
        malformed_body: 'O corpo terminou antes do fim.',
        body_too_large: 'O corpo tem mais de 16 MiB: envie-o em partes.',
        unsupported_media_type: 'O corpo está comprimido: envie-o sem compressão.',
        unavailable:
          'Outro processo está gravando no banco de dados, ou ele está fora de alcance. Nada foi guardado: envie os registros de novo após os segundos de “Retry-After”.',
      },
    },
    getSigningKeys: {
      title: 'Ler as chaves públicas dos passes',
      text: 'As chaves que assinam passes, e as aposentadas nos últimos 90 dias, como um JSON Web Key Set. Um programa traz as suas chaves e não as busca. Não requer chave; páginas de qualquer origem podem ler.',
    },
    getHealth: { title: 'Processo vivo', text: 'Se o processo está vivo. Não requer chave.' },
    getReadiness: {
      title: 'Prontidão',
      text: 'Se o serviço está pronto: o banco de dados, as migrações e o segredo. Não requer chave.',
      statuses: { 200: 'O serviço está pronto.', 503: 'O serviço não está pronto ou está parando.' },
    },
  },
  parameters: {
    title: 'Parâmetros',
    none: 'Nenhum.',
    required: 'obrigatório',
    places: { query: 'query', header: 'cabeçalho', body: 'corpo' },
  },
  responses: {
    title: 'Respostas',
    example: 'Exemplo de resposta',
    shape: 'Formato',
  },
  samples: { title: 'Exemplo de código', copy: 'Copiar código' },
  copyPath: 'Copiar caminho',
  tryIt: {
    open: 'Experimentar',
    hide: 'Fechar',
    openNamed: (title: string) => `Experimentar: ${title}`,
    key: 'Chave de API',
    token: 'Token de administração',
    credentialHint:
      'Fica só na memória desta página. Nunca é guardado em outro lugar e some quando você sai.',
    shapeDefault: 'Padrão do workspace',
    records: 'Registros, um objeto JSON por linha',
    warning: 'Isto altera os dados deste serviço.',
    confirm: 'Quero guardar estes registros neste serviço',
    send: 'Enviar a requisição',
    result: 'Resposta do serviço',
    headers: 'Cabeçalhos da resposta',
    body: 'Corpo da resposta',
    noBody: 'Sem corpo.',
    shortened: 'Só os primeiros 100.000 caracteres são mostrados.',
    failed: 'Não houve resposta. Verifique sua conexão e tente de novo.',
  },
} satisfies DocsMessages
