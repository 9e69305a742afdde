import type { Messages } from './en.ts'

/** The Portuguese texts. `Invalid request` is the same in both languages: the contract says so. */
export const pt = {
  general: {
    invalid_request: 'Invalid request',
    not_found: 'Não encontrado',
    method_not_allowed: 'Método não permitido',
    too_many_requests: 'Muitas requisições',
    internal_error: 'Erro interno do servidor',
    unavailable: 'Serviço indisponível',
  },
  explanations: {
    missing_parameter: 'Um parâmetro de que a operação precisa não foi enviado ou está vazio: envie-o.',
    invalid_parameter:
      'Um parâmetro tem uma forma que não pode ter, ou foi enviado duas vezes com valores diferentes: envie-o uma vez, na forma que a referência mostra.',
    conflicting_api_keys:
      'Chaves de API diferentes foram enviadas na mesma requisição (cabeçalho, query, corpo): envie uma chave em um só lugar.',
    malformed_body:
      'O corpo não pôde ser lido como o que seus cabeçalhos dizem que é: verifique a codificação e a sintaxe.',
    missing_api_key:
      'Nenhuma chave de API foi enviada: envie-a como “Authorization: Bearer CHAVE”, como “X-Api-Key: CHAVE” ou como o parâmetro “api_key”.',
    invalid_api_key:
      'Este serviço não conhece essa chave de API: copie-a de novo das configurações do workspace.',
    expired_api_key: 'A chave de API passou da data de validade: o dono precisa criar uma nova.',
    revoked_api_key: 'A chave de API foi revogada pelo dono: use outra.',
    key_not_allowed:
      'Uma chave publicável só pode validar códigos de compra: use uma chave secreta para esta operação, em um servidor.',
    no_items: 'O workspace desta chave ainda não tem itens.',
    item_not_found: 'O workspace desta chave não tem item com este id.',
    purchase_not_found:
      'Nenhuma compra que esta chave possa ver tem este código: ele foi digitado errado ou nunca foi vendido.',
    purchase_not_active: 'A compra existe, mas foi reembolsada ou revogada: ela não dá mais direito a nada.',
    body_too_large:
      'O corpo tem mais de 16 KiB, antes ou depois de descomprimido: envie apenas os parâmetros.',
    unsupported_media_type:
      'O corpo tem um tipo ou uma codificação que não é aceita: envie JSON, form-urlencoded ou multipart, simples ou como gzip, deflate ou br.',
    route_not_found: 'Não há nada neste endereço: confira o caminho com a referência.',
    method_not_allowed: 'Este endereço não aceita este método: o cabeçalho “Allow” diz quais aceita.',
    malformed_request: 'A requisição quebra as regras do HTTP e não pôde ser lida.',
    request_timeout: 'A requisição não chegou completa a tempo: envie-a de novo.',
    request_too_large: 'O endereço ou os cabeçalhos da requisição são longos demais: encurte-os.',
    expectation_failed: 'O cabeçalho “Expect” pede algo diferente de “100-continue”: retire-o.',
    rate_limited: 'Requisições demais em tempo de menos: espere os segundos que “Retry-After” indica.',
    internal_error:
      'O serviço falhou de um modo que não previu; isso nada diz sobre a chave ou o código: tente de novo mais tarde.',
    unavailable:
      'O serviço não consegue saber a resposta agora; isso nada diz sobre a chave ou o código: tente de novo após os segundos de “Retry-After”.',
  },
  issues: {
    required: 'é obrigatório',
    unknown: 'não é conhecido aqui',
    type: 'tem o tipo errado',
    text: 'deve ser um texto',
    well_formed: 'deve ser Unicode bem formado, sem U+0000',
    not_empty: 'não pode estar vazio',
    boolean: 'deve ser true ou false',
    list: 'deve ser uma lista',
    link: 'deve ser uma URL http(s) absoluta',
    timestamp: 'deve ser uma data e hora ISO 8601 com seu deslocamento, como 2024-04-27T12:00:00Z',
    currency: 'deve ser o código de uma moeda ISO 4217 que tenha unidade menor, como USD',
    amount: 'deve ser um número ou um decimal em texto, como 19.99',
    amount_negative: 'não pode ser negativo',
    amount_decimals: 'tem mais casas decimais que sua moeda',
    amount_range: 'é maior do que se pode guardar com exatidão',
    version: 'deve ser três números separados por pontos, como 1.4.2',
    item_id: 'deve ser um número inteiro de 1 a 9007199254740991',
    shape: 'deve ser base ou extended',
    credential_length: 'deve ter no máximo 255 caracteres',
  },
} as const satisfies Messages
