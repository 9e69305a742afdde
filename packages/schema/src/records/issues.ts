import type { Locale } from '../constants.ts'
import { en, type Messages } from '../messages/en.ts'
import { pt } from '../messages/pt.ts'

// What an import can find wrong with a record, beside what the parameters of the API have in common with it.

const english = {
  email: 'must be an e-mail address',
  locale: 'must be en or pt',
  json: 'is not a JSON object',
  utf8: 'is not valid UTF-8',
  utf16: 'this is UTF-16: save the file as UTF-8, or use --from if it is CSV',
  csv: 'this is CSV: use --from, see "saleproof import --help"',
  line_length: 'is longer than 1 MiB',
  duplicate_field: 'has a field that is given twice',
  record_type: 'must be account, workspace, api_key, item or purchase',
  item_kind: 'must be image, video or audio',
  item_kind_media: 'does not belong to an item of this kind',
  purchase_state: 'must be active, refunded or revoked',
  note_length: 'must have at most 2000 characters',
  map: 'must be an object of strings',
  network: 'must have names that are not whole numbers, __proto__, constructor or prototype',
  key_format: 'must be 16 to 255 visible ASCII characters',
  slug: 'must be 1 to 64 lowercase letters, digits and dashes',
  username: 'must be 1 to 64 characters without white space',
  password: 'must have 8 to 1024 characters',
  password_hash: 'must be an argon2id hash in the PHC form, $argon2id$v=19$…',
  password_twice: 'must not be given together with password_hash',
  given_twice: 'was given on an earlier line with different content',
  unknown_account: 'names no account that is stored or on an earlier line',
  unknown_workspace: 'names no workspace that is stored or on an earlier line',
  already_stored: 'is stored already: choose another one',
  unknown_item: 'names no item that is stored or on an earlier line',
  other_account: 'must not change: the stored workspace belongs to another account',
  other_workspace: 'must not change: what is stored belongs to another workspace',
  other_item: 'must not change: the stored purchase is of another item',
  key_items: 'must be items of the workspace of the key, stored or on an earlier line',
  key_secret: 'must be empty for a secret key',
  key_replaces: 'must be another key of the same workspace, stored or in this file',
  code_short: 'is shorter than 12 characters: it can be guessed',
  key_stays_revoked: 'is null, but the stored key stays revoked',
  sale_code: 'is missing: say whether codes are made, or such rows left out',
  sale_order: 'is missing: a code is made for an order',
  sale_item: 'is matched to no item',
  sale_state: 'is unclear',
  sale_date: 'is not a date that can be read',
  sale_quantity: 'must be a whole number from 1 to 1000, and of all rows at most 100000: split the file',
  sale_row: 'has not as many cells as there are columns',
  sale_many:
    'ends what is read, after too many rows with problems: correct or split the file; nothing is stored',
  key_made_secret: 'makes a publishable key secret: anyone who has it can now read everything',
} as const

const portuguese: Record<keyof typeof english, string> = {
  email: 'deve ser um endereço de e-mail',
  locale: 'deve ser en ou pt',
  json: 'não é um objeto JSON',
  utf8: 'não é UTF-8 válido',
  utf16: 'isto é UTF-16: salve o arquivo como UTF-8 ou use --from se for CSV',
  csv: 'isto é CSV: use --from, veja "saleproof import --help"',
  line_length: 'tem mais de 1 MiB',
  duplicate_field: 'tem um campo dado duas vezes',
  record_type: 'deve ser account, workspace, api_key, item ou purchase',
  item_kind: 'deve ser image, video ou audio',
  item_kind_media: 'não pertence a um item deste tipo',
  purchase_state: 'deve ser active, refunded ou revoked',
  note_length: 'deve ter no máximo 2000 caracteres',
  map: 'deve ser um objeto de textos',
  network: 'deve ter nomes que não sejam números inteiros, __proto__, constructor nem prototype',
  key_format: 'deve ter de 16 a 255 caracteres ASCII visíveis',
  slug: 'deve ter de 1 a 64 letras minúsculas, dígitos e hifens',
  username: 'deve ter de 1 a 64 caracteres, sem espaço em branco',
  password: 'deve ter de 8 a 1024 caracteres',
  password_hash: 'deve ser um hash argon2id na forma PHC, $argon2id$v=19$…',
  password_twice: 'não pode ser dado junto com password_hash',
  given_twice: 'foi dado em uma linha anterior com outro conteúdo',
  unknown_account: 'não é uma conta guardada nem de uma linha anterior',
  unknown_workspace: 'não é um workspace guardado nem de uma linha anterior',
  already_stored: 'já está guardado: escolha outro',
  unknown_item: 'não é um item guardado nem de uma linha anterior',
  other_account: 'não pode mudar: o workspace guardado pertence a outra conta',
  other_workspace: 'não pode mudar: o que está guardado pertence a outro workspace',
  other_item: 'não pode mudar: a compra guardada é de outro item',
  key_items: 'deve conter itens do workspace da chave, guardados ou de uma linha anterior',
  key_secret: 'deve estar vazio para uma chave secreta',
  key_replaces: 'deve ser outra chave do mesmo workspace, guardada ou deste arquivo',
  code_short: 'tem menos de 12 caracteres: pode ser adivinhado',
  key_stays_revoked: 'é null, mas a chave guardada continua revogada',
  sale_code: 'falta: diga se os códigos são criados ou se essas linhas ficam de fora',
  sale_order: 'falta: um código é criado para um pedido',
  sale_item: 'não corresponde a nenhum item',
  sale_state: 'não está claro',
  sale_date: 'não é uma data que se possa ler',
  sale_quantity:
    'deve ser um número inteiro de 1 a 1000, e de todas as linhas no máximo 100000: divida o arquivo',
  sale_row: 'não tem tantas células quantas são as colunas',
  sale_many:
    'encerra a leitura, após linhas demais com problemas: corrija ou divida o arquivo; nada é armazenado',
  key_made_secret: 'torna secreta uma chave publicável: quem a tiver poderá ler tudo',
}

/** What can be wrong with a record. */
export type RecordIssue = keyof Messages['issues'] | keyof typeof english

/** The texts of what can be wrong with a record, by language. */
export const recordIssues: Readonly<Record<Locale, Readonly<Record<RecordIssue, string>>>> = {
  en: { ...en.issues, ...english },
  pt: { ...pt.issues, ...portuguese },
}
