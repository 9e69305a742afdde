/** The items of the demo workspace. Their ids are far from those of real catalogues. */

interface DemoItem {
  id: number
  kind: 'image' | 'video' | 'audio'
  name: string
  description: string
  category: string
  sub_category: string
  options: string[]
  version: string
  tags: string[]
  screenshots: number
  price: { regular: number; extended: number }
  currency: string
  support: boolean
  published_at: string
}

const items: readonly DemoItem[] = [
  {
    id: 900001,
    kind: 'image',
    name: 'Harbour Icons',
    description: '420 line icons for travel, shipping and maps, drawn on a 24 px grid.',
    category: 'graphics',
    sub_category: 'icons',
    options: ['svg', 'png', 'figma'],
    version: '2.3.0',
    tags: ['icons', 'travel', 'outline'],
    screenshots: 3,
    price: { regular: 19.99, extended: 99 },
    currency: 'USD',
    support: true,
    published_at: '2024-03-04T09:30:00Z',
  },
  {
    id: 900002,
    kind: 'image',
    name: 'Paper Grain Textures',
    description: 'Sixty scanned papers at 600 dpi, seamless in both directions.',
    category: 'graphics',
    sub_category: 'textures',
    options: ['tiff', 'jpeg'],
    version: '1.0.1',
    tags: ['paper', 'texture'],
    screenshots: 0,
    price: { regular: 12.5, extended: 60 },
    currency: 'EUR',
    support: false,
    published_at: '2024-04-11T14:00:00Z',
  },
  {
    id: 900003,
    kind: 'image',
    name: 'Atelier Theme',
    description: 'A theme for portfolios and small studios, with a page builder and five layouts.',
    category: 'themes',
    sub_category: 'portfolio',
    options: ['responsive', 'dark mode'],
    version: '4.1.7',
    tags: ['theme', 'portfolio'],
    screenshots: 4,
    price: { regular: 49, extended: 1900 },
    currency: 'USD',
    support: true,
    published_at: '2024-06-20T08:15:00Z',
  },
  {
    id: 900004,
    kind: 'video',
    name: 'Ink in Water',
    description: 'Twelve clips of ink that spreads in water, 4K, with a transparent background.',
    category: 'footage',
    sub_category: 'backgrounds',
    options: ['4k', 'alpha'],
    version: '1.2.0',
    tags: ['ink', 'slow motion'],
    screenshots: 2,
    price: { regular: 3200, extended: 18000 },
    currency: 'JPY',
    support: false,
    published_at: '2024-07-01T00:00:00Z',
  },
  {
    id: 900005,
    kind: 'video',
    name: 'Clean Titles',
    description: 'Thirty animated titles whose colours and fonts are changed in one place.',
    category: 'templates',
    sub_category: 'titles',
    options: ['1080p', '4k'],
    version: '3.0.0',
    tags: ['titles', 'motion'],
    screenshots: 0,
    price: { regular: 28, extended: 140 },
    currency: 'EUR',
    support: true,
    published_at: '2024-08-15T16:45:00Z',
  },
  {
    id: 900006,
    kind: 'audio',
    name: 'Morning Radio Jingles',
    description: 'Ten short jingles with stems, for shows and podcasts.',
    category: 'music',
    sub_category: 'jingles',
    options: ['wav', 'mp3', 'stems'],
    version: '1.1.0',
    tags: ['jingle', 'podcast'],
    screenshots: 0,
    price: { regular: 15, extended: 75 },
    currency: 'USD',
    support: true,
    published_at: '2024-09-02T10:00:00Z',
  },
  {
    id: 900007,
    kind: 'audio',
    name: 'Forest Field Recordings',
    description: 'Four hours of birds, wind and rain, recorded in stereo at 96 kHz.',
    category: 'sound effects',
    sub_category: 'nature',
    options: ['wav'],
    version: '1.0.0',
    tags: ['nature', 'ambience'],
    screenshots: 1,
    price: { regular: 22, extended: 110 },
    currency: 'EUR',
    support: false,
    published_at: '2024-10-19T07:20:00Z',
  },
  {
    id: 900008,
    kind: 'audio',
    name: 'Interface Clicks',
    description: 'Two hundred soft clicks, toggles and confirmations for apps.',
    category: 'sound effects',
    sub_category: 'interface',
    options: ['wav', 'ogg'],
    version: '2.0.4',
    tags: ['ui', 'clicks'],
    screenshots: 0,
    price: { regular: 1500, extended: 7500 },
    currency: 'JPY',
    support: true,
    published_at: '2024-11-30T12:00:00Z',
  },
]

const file = (id: number, name: string) => `https://example.com/media/${id}/${name}`

const record = ({ screenshots, ...item }: DemoItem) => ({
  type: 'item',
  workspace: 'demo',
  ...item,
  demo_link: item.kind === 'image' ? `https://example.com/demo/${item.id}` : '',
  media: {
    thumbnail: file(item.id, 'thumbnail.png'),
    preview_image: file(item.id, 'preview.png'),
    ...(item.kind === 'video' && { preview_video: file(item.id, 'preview.mp4') }),
    ...(item.kind === 'audio' && { preview_audio: file(item.id, 'preview.mp3') }),
    screenshots: Array.from({ length: screenshots }, (_, index) =>
      file(item.id, `screenshot-${index + 1}.png`),
    ),
  },
  url: `https://example.com/items/${item.id}`,
})

export const demoItems = items.map(record)
