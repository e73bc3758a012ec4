import { parseArgs } from 'node:util'

const USAGE = `npm run bench -- [options]

  --quick                  fewer and shorter rounds
  --only <pattern>         scenarios whose name matches this regular expression
  --json <file>            write the results as JSON
  --than <directory>       measure the server of another checkout in the same rounds
  --prof <directory>       write a processor profile of the server
  --products <count>       products in the database (1000000)
  --installations <count>  installations in the database (100000)
`

/**
 * The options of the command line. Asked for help, or with options that it does not know, the
 * process prints how to call it, and ends.
 */
export function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        json: { type: 'string' },
        only: { type: 'string' },
        products: { type: 'string', default: '1000000' },
        installations: { type: 'string', default: '100000' },
        prof: { type: 'string' },
        than: { type: 'string' },
      },
    })
    if (!values.help) return values
    process.stdout.write(USAGE)
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`)
    process.exit(2)
  }
}
