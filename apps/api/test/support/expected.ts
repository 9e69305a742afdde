/** The bodies that the fixture records answer with, as text: field order and every byte count. */

export const accountText =
  '{"status":"success","data":{"name":{"firstname":"Ada","lastname":"Lima","full_name":"Ada Lima"},"username":"ada","email":"ada@example.com","balance":-1250.5,"currency":"USD","profile":{"heading":"Ícones & sons","description":"Made with “care”.","contact":{"email":"hi@example.com"},"social_links":{"x":"https://x.com/ada","facebook":"https://facebook.com/ada","a":"https://a.example/"},"media":{"avatar":"https://cdn.example.com/avatar.png","cover":""}},"registered_at":"2023-01-31T08:00:00Z"}}'

const image = (id: number, version: string, media: string) =>
  `{"id":${id},"name":"Icon pack","description":"400 icons","category":"graphics","sub_category":"icons","options":["svg","png"],${version}"demo_link":"https://example.com/demo/101","tags":["icons","ui"],"media":{${media}},"price":{"regular":19.99,"extended":99},"currency":"USD","published_at":"2024-04-27T12:00:00Z"}`
const video = (version: string, media: string) =>
  `{"id":102,"name":"Intro clip","description":"400 icons","category":"graphics","sub_category":"icons","options":["svg","png"],${version}"demo_link":"","tags":["icons","ui"],"media":{${media}},"price":{"regular":1500,"extended":9000},"currency":"JPY","published_at":"2024-05-01T00:00:00Z"}`
const audio = (version: string, media: string) =>
  `{"id":9007199254740991,"name":"Jingle","description":"400 icons","category":"graphics","sub_category":"icons","options":[],${version}"demo_link":"https://example.com/demo/101","tags":[],"media":{${media}},"price":{"regular":1.234,"extended":10.5},"currency":"KWD","published_at":"2024-05-01T00:00:00Z"}`

const cdn = 'https://cdn.example.com'
const shots = `"screenshots":["${cdn}/101/1.png","${cdn}/101/2.png"]`
const version = '"version":"1.4.2",'

export const itemTexts = {
  base: {
    image: image(101, '', `"preview_image":"${cdn}/101/p.png",${shots}`),
    video: video('', `"preview_image":"${cdn}/102/p.png","screenshots":[]`),
    audio: audio('', `"preview_image":"${cdn}/103/p.png","screenshots":[]`),
  },
  extended: {
    image: image(101, version, `"thumbnail":"${cdn}/101/t.png","preview_image":"${cdn}/101/p.png",${shots}`),
    video: video(
      version,
      `"thumbnail":"","preview_image":"${cdn}/102/p.png","preview_video":"${cdn}/102/v.mp4"`,
    ),
    audio: audio(version, `"thumbnail":"${cdn}/103/t.png","preview_audio":"${cdn}/103/a.mp3"`),
  },
} as const

export const itemIds = { image: 101, video: 102, audio: 9007199254740991 } as const

/** The extended item 301 of the workspace `lisboa`. */
export const lisboaItem = itemTexts.extended.image.replace('"id":101', '"id":301')

const reduced = (id: number, name: string, file: number) =>
  `{"id":${id},"name":"${name}","url":"https://example.com/items/${file}","media":{"preview_image":"${cdn}/${file}/p.png"}}`
const reducedImage = reduced(101, 'Icon pack', 101)
const dated = '"date":"2024-04-27T12:00:00Z"'
const supported = '"supported_until":"2025-04-27T12:00:00Z",'

const purchase = (fields: string) => `{"status":"success","data":{"purchase":{${fields}}}}`

/** The bodies of the purchases of `codes`, by name. */
export const purchaseTexts = {
  base: {
    active: purchase(
      `"purchase_code":"AAAA-1111-active-image","license_type":"Regular","price":17.5,"currency":"EUR","item":${reducedImage},"downloaded":false,${dated}`,
    ),
    extendedLicense: purchase(
      `"purchase_code":"AAAA-2222-extended-license","license_type":"Extended","price":17.5,"currency":"EUR","item":${reducedImage},"downloaded":true,${dated}`,
    ),
    video: purchase(
      `"purchase_code":"BBBB-3333-video","license_type":"Regular","price":1500,"currency":"JPY","item":${reduced(102, 'Intro clip', 102)},"downloaded":false,${dated}`,
    ),
    audio: purchase(
      `"purchase_code":"CCCC-4444-audio","license_type":"Regular","price":0.001,"currency":"KWD","item":${reduced(9007199254740991, 'Jingle', 103)},"downloaded":false,${dated}`,
    ),
  },
  extended: {
    active: purchase(
      `"purchase_code":"AAAA-1111-active-image","license_type":"Regular","currency":"EUR","item":${itemTexts.extended.image},${supported}"downloaded":false,${dated}`,
    ),
    extendedLicense: purchase(
      `"purchase_code":"AAAA-2222-extended-license","license_type":"Extended","currency":"EUR","item":${itemTexts.extended.image},"downloaded":true,${dated}`,
    ),
    /** The item offers no support: that of its purchase is not shown. */
    video: purchase(
      `"purchase_code":"BBBB-3333-video","license_type":"Regular","currency":"JPY","item":${itemTexts.extended.video},"downloaded":false,${dated}`,
    ),
    audio: purchase(
      `"purchase_code":"CCCC-4444-audio","license_type":"Regular","currency":"KWD","item":${itemTexts.extended.audio},${supported}"downloaded":false,${dated}`,
    ),
  },
} as const
