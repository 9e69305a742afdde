import { currencyCodes, currencyDigits, type Shape } from '@saleproof/schema'

const quoted = (column: string) => `json_quote(${column})`

const codesOf = (digits: number) =>
  currencyCodes
    .filter((code) => currencyDigits(code) === digits)
    .map((code) => `'${code}'`)
    .join(', ')

/** An amount with so many digits after the point, without those that say nothing: `1950` of 2 is `19.5`. */
function decimal(column: string, digits: number): string {
  const unit = 10 ** digits
  const fraction = `rtrim('.' || substr('${'0'.repeat(digits)}' || (${column} % ${unit}), -${digits}), '0')`
  return `(${column} / ${unit}) || iif(${column} % ${unit} = 0, '', ${fraction})`
}

/** An amount of minor units as the number that JSON has of it. */
export const amountSql = (column: string) => `CASE
  WHEN currency IN (${codesOf(0)}) THEN ${column}
  WHEN currency IN (${codesOf(3)}) THEN ${decimal(column, 3)}
  WHEN currency IN (${codesOf(4)}) THEN ${decimal(column, 4)}
  ELSE ${decimal(column, 2)} END`

const extendedMedia = `'{"thumbnail":', ${quoted('thumbnail')},
  iif(kind = 'audio', '', ',"preview_image":' || ${quoted('previewImage')}),
  iif(kind = 'video' AND previewVideo IS NOT NULL, ',"preview_video":' || ${quoted('previewVideo')}, ''),
  iif(kind = 'audio' AND previewAudio IS NOT NULL, ',"preview_audio":' || ${quoted('previewAudio')}, ''),
  iif(screenshots = '[]', '', ',"screenshots":' || screenshots), '}'`

const baseMedia = `'{"preview_image":', ${quoted('previewImage')}, ',"screenshots":', screenshots, '}'`

/** An item as `itemJson` writes it. */
const itemSql = (shape: Shape) => `concat(
  '{"id":', id, ',"name":', ${quoted('name')}, ',"description":', ${quoted('description')}, ',"category":', ${quoted('category')},
  ',"sub_category":', ${quoted('subCategory')}, ',"options":', options,
  ${shape === 'extended' ? `',"version":', ${quoted('version')},` : ''}
  ',"demo_link":', ${quoted('demoLink')}, ',"tags":', tags, ',"media":', ${shape === 'extended' ? extendedMedia : baseMedia},
  ',"price":{"regular":', ${amountSql('priceRegular')}, ',"extended":', ${amountSql('priceExtended')},
  '},"currency":', ${quoted('currency')}, ',"published_at":"', substr(publishedAt, 1, 19), 'Z"}')`

/**
 * The answer that lists all items of a workspace, and how many they are. SQLite puts it together: to hand ten thousand rows of twenty
 * columns to JavaScript and to write their JSON there takes more than twice as long, and more memory. That the same bytes come out as
 * without it is what a property test sees to. SQLite keeps the order of a subquery for `group_concat`; asked to order by
 * itself it would sort whole texts.
 */
export const listSql = (shape: Shape) => `
  SELECT count(*) AS count, CAST(concat('{"status":"success","items":[', group_concat(item, ','), ']}') AS BLOB) AS bytes
  FROM (SELECT ${itemSql(shape)} AS item FROM Item WHERE workspaceId = ? ORDER BY publishedAt DESC, id DESC)`
