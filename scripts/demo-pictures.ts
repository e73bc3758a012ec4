// Draws the icons and screenshots of the demo's apps into demo/pictures, in the sizes that pages use:
// `node scripts/demo-pictures.ts`. They are drawn by us, and CC0.
import { mkdir, writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { PICTURE_SIZES, type PictureKind } from '../src/marketplace/apps/media/picture.ts'

const PICTURES = new URL('../demo/pictures/', import.meta.url)
const QUALITY = 80

/** What stands on the square of an icon of 256 by 256. */
const ICONS = {
  'price-sync': `<path d="M60 70q0-10 10-10h56l76 76q8 8 0 16l-50 50q-8 8-16 0l-76-76z" fill="#fff"/>
    <circle cx="96" cy="96" r="14" fill="#0b6b61"/><path d="M112 148l36-36M132 168l36-36" stroke="#12a594" stroke-width="12" stroke-linecap="round"/>`,
  'stock-watch': `<path d="M52 112l76-40 76 40v84H52z" fill="none" stroke="#fff" stroke-width="16" stroke-linejoin="round"/>
    <path d="M88 196v-56h80v56M88 166h80" fill="none" stroke="#fff" stroke-width="14"/>
    <circle cx="192" cy="72" r="26" fill="#ef476f" stroke="#fff" stroke-width="8"/>`,
  'catalog-sync': `<rect x="58" y="58" width="62" height="62" rx="12" fill="#fff"/>
    <rect x="136" y="58" width="62" height="62" rx="12" fill="#fff" opacity=".55"/>
    <rect x="58" y="136" width="62" height="62" rx="12" fill="#fff" opacity=".55"/>
    <rect x="136" y="136" width="62" height="62" rx="12" fill="#ffd166"/>`,
} as const
const COLOURS = {
  'price-sync': ['#0b6b61', '#12a594'],
  'stock-watch': ['#3a2f7d', '#6e56cf'],
  'catalog-sync': ['#8f3d0f', '#e2703a'],
} as const
type AppId = keyof typeof ICONS

const TITLES = {
  'price-sync': ['Price differences', 'Prices of the last 30 days'],
  'stock-watch': ['Low stock', 'Stock of the last 30 days'],
  'catalog-sync': ['Imports', 'Products added per day'],
} as const satisfies Record<AppId, readonly [string, string]>

for (const id of Object.keys(ICONS) as AppId[]) {
  await mkdir(new URL(`${id}/`, PICTURES), { recursive: true })
  const [dark, light] = COLOURS[id]
  const [list, chart] = TITLES[id]
  await write(id, 'icon', 'icon', square(ICONS[id], dark, light))
  await write(id, 'screenshot', 'list', screen(list, dark, rows(light)))
  await write(id, 'screenshot', 'chart', screen(chart, dark, bars(light)))
}

async function write(id: AppId, kind: PictureKind, name: string, svg: string): Promise<void> {
  for (const [size, side] of Object.entries(PICTURE_SIZES[kind])) {
    const picture = await sharp(Buffer.from(svg))
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer()
    await writeFile(new URL(`${id}/${name}-${size}.webp`, PICTURES), picture)
  }
}

function square(content: string, dark: string, light: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256">
    <defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient></defs>
    <rect width="256" height="256" fill="url(#g)"/>${content}</svg>`
}

/** A page of an app of 1600 by 1000. */
function screen(title: string, dark: string, content: string): string {
  const menu = [0, 1, 2, 3, 4].map(
    (at) =>
      `<rect x="40" y="${180 + at * 64}" width="${170 - at * 16}" height="18" rx="9" fill="#fff" opacity="${at === 0 ? 0.95 : 0.45}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000">
    <rect width="1600" height="1000" fill="#f5f7f6"/><rect width="260" height="1000" fill="${dark}"/>
    <circle cx="68" cy="84" r="28" fill="#fff" opacity=".9"/>${menu.join('')}
    <text x="320" y="116" font-family="DejaVu Sans, sans-serif" font-size="44" font-weight="bold" fill="#16211f">${title}</text>
    <rect x="320" y="160" width="1220" height="780" rx="20" fill="#fff" stroke="#dde4e2"/>${content}</svg>`
}

function rows(light: string): string {
  return Array.from({ length: 9 }, (_, at) => {
    const y = 200 + at * 80
    const width = 260 + ((at * 97) % 200)
    const change = 40 + ((at * 53) % 110)
    return `<rect x="360" y="${y}" width="44" height="44" rx="10" fill="${light}" opacity="${0.35 + (at % 3) * 0.25}"/>
      <rect x="430" y="${y + 4}" width="${width}" height="16" rx="8" fill="#33413e"/>
      <rect x="430" y="${y + 30}" width="${width * 0.6}" height="12" rx="6" fill="#aab6b3"/>
      <rect x="1120" y="${y + 12}" width="90" height="18" rx="9" fill="#aab6b3"/>
      <rect x="1290" y="${y + 6}" width="${change}" height="30" rx="15" fill="${at % 4 === 1 ? '#ef476f' : light}"/>
      <path d="M360 ${y + 62}h1140" stroke="#eef2f1" stroke-width="2"/>`
  }).join('')
}

function bars(light: string): string {
  const columns = Array.from({ length: 30 }, (_, at) => {
    const height = 120 + Math.round(180 * (1 + Math.sin(at / 3.1)) + ((at * 37) % 90))
    return `<rect x="${380 + at * 37}" y="${880 - height}" width="24" height="${height}" rx="6" fill="${light}" opacity="${at > 26 ? 1 : 0.6}"/>`
  })
  const lines = [300, 450, 600, 750].map(
    (y) => `<path d="M370 ${y}h1130" stroke="#eef2f1" stroke-width="3"/>`,
  )
  return `${lines.join('')}${columns.join('')}<path d="M370 880h1130" stroke="#aab6b3" stroke-width="3"/>`
}
