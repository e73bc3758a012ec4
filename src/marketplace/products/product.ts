import { z } from 'zod'
import { integerText } from '../../base/values/shapes.ts'

/** A product as the API answers it: the specification's eight fields, always all of them. */
export const Product = z
  .object({
    id: z.int().describe("The server's id of the product."),
    brand: z.string(),
    partNumber: z.string(),
    inStock: z.int().describe('Units in stock.'),
    shortDescription: z.string().nullable(),
    msrp: z.number().nullable().describe("Manufacturer's suggested retail price."),
    mapPrice: z.number().nullable().describe('Minimum advertised price.'),
    upc: z.string().nullable().describe('Universal Product Code; text, for its leading zeros.'),
  })
  .meta({
    id: 'Product',
    description: 'A product.',
    example: {
      id: 101,
      brand: 'Wahl',
      partNumber: '79520-500',
      inStock: 49,
      shortDescription: 'Comfort Grip design; adjustable taper control',
      msrp: 26.99,
      mapPrice: null,
      upc: '043917795164',
    },
  })
export type Product = z.infer<typeof Product>

/** A product of a list, which `fields` may narrow. */
export const ListedProduct = Product.partial()
  .required({ id: true })
  .meta({
    id: 'ListedProduct',
    description: 'A product with its id and the `fields` that were asked for; without, with all.',
    example: { id: 101, brand: 'Wahl', inStock: 49 },
  })

/** Path parameters that name a product. */
export const ProductPath = z.object({
  id: integerText(Number.MAX_SAFE_INTEGER)
    .describe('Id of the product.')
    .meta({ example: 101, parameter: 'IdOfProduct' }),
})

/** A product without the server's id. */
export type ProductRecord = Omit<Product, 'id'>

/**
 * The record as JSON on the wire, without the id and the opening brace. It is stored beside the
 * columns, so that a page is put together from text alone; only this function makes it.
 */
export function productBody(record: ProductRecord): string {
  const { brand, partNumber, inStock, shortDescription, msrp, mapPrice, upc } = record
  return JSON.stringify({
    brand,
    partNumber,
    inStock,
    shortDescription,
    msrp,
    mapPrice,
    upc,
  }).slice(1)
}
