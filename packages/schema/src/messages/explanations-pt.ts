import type * as en from './explanations-en.ts'

/** In Portuguese, of errors that a well-formed request can have. */
export const clientExplanations = {
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
  route_not_found: 'Não há nada neste endereço: confira o caminho com a referência.',
  request_timeout: 'A requisição não chegou completa a tempo: envie-a de novo.',
  rate_limited: 'Requisições demais em tempo de menos: espere os segundos que “Retry-After” indica.',
  internal_error:
    'Um erro inesperado do serviço; isso nada diz sobre a chave ou o código: tente de novo mais tarde.',
  unavailable:
    'O serviço está temporariamente indisponível; isso nada diz sobre a chave ou o código: tente de novo após os segundos de “Retry-After”.',
} as const satisfies Record<keyof typeof en.clientExplanations, string>

/** In Portuguese, of errors that only a malformed request has. */
export const requestExplanations = {
  missing_parameter: 'Um parâmetro de que a operação precisa não foi enviado ou está vazio: envie-o.',
  invalid_parameter:
    'Um parâmetro tem uma forma que não pode ter, ou foi enviado duas vezes com valores diferentes: envie-o uma vez, na forma que a referência mostra.',
  conflicting_api_keys:
    'Chaves de API diferentes foram enviadas na mesma requisição (cabeçalho, query, corpo): envie uma chave em um só lugar.',
  malformed_body:
    'O corpo não pôde ser lido como o que seus cabeçalhos dizem que é: verifique a codificação e a sintaxe.',
  body_too_large: 'O corpo tem mais de 16 KiB, antes ou depois de descomprimido: envie apenas os parâmetros.',
  unsupported_media_type:
    'O corpo tem um tipo ou uma codificação que não é aceita: envie JSON, form-urlencoded ou multipart, simples ou como gzip, deflate ou br.',
  method_not_allowed: 'Este endereço não aceita este método: o cabeçalho “Allow” diz quais aceita.',
  malformed_request: 'A requisição quebra as regras do HTTP e não pôde ser lida.',
  request_too_large: 'O endereço ou os cabeçalhos da requisição são longos demais: encurte-os.',
  expectation_failed: 'O cabeçalho “Expect” pede algo diferente de “100-continue”: retire-o.',
} as const satisfies Record<keyof typeof en.requestExplanations, string>
