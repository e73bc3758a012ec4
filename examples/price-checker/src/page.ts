/** A product as the page shows it. */
export type ShownProduct = { brand: string; partNumber: string; msrp: number | null | undefined }

const SHOWN_AT_MOST = 20

/** The page of the app: the products over the limit, the first of them in a table. */
export function productsPage(limit: number, products: readonly ShownProduct[]): string {
  const rows = products
    .slice(0, SHOWN_AT_MOST)
    .map((one) => `<tr>${[one.brand, one.partNumber, one.msrp].map(cell).join('')}</tr>`)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Price Checker</title>
<meta name="viewport" content="width=device-width">
<style>body { font: 1rem/1.5 system-ui; margin: 2rem } th, td { padding-right: 2rem; text-align: left }</style>
</head><body><h1>Products over ${limit}: ${products.length}</h1>
<table><tr><th>Brand</th><th>Part number</th><th>Price</th></tr>
${rows.join('\n')}</table></body></html>
`
}

/** Products contain text from others, so none of it may become markup. */
function cell(value: string | number | null | undefined): string {
  const text = String(value ?? '').replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
  return `<td>${text}</td>`
}
