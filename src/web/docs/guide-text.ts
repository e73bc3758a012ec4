/** Where the examples of the guides find the server. */
const EXAMPLE_SERVER = 'http://127.0.0.1:3000'

/**
 * Examples call this server, links lead to its own pages, diagrams are its own files, and files that
 * only the repository has are named without a link.
 *
 * @param name of the guide in the directory `docs`, such as `adr/001-batch-check`
 */
export function forThisServer(name: string, text: string, baseUrl: string): string {
  return text
    .replaceAll(EXAMPLE_SERVER, baseUrl)
    .replaceAll(/\]\(([\w./-]+\.(?:md|svg))(#[\w-]*)?\)/g, (link, file, anchor = '') => {
      const address = addressOf(name, file)
      return address === undefined ? link : `](${address}${anchor})`
    })
    .replaceAll(/\[([^\][]+)\]\(\.\.\/[^()\s]*\)/g, '$1')
}

/** Where this server has a file that a guide names, if it has it. */
function addressOf(name: string, file: string): string | undefined {
  const { pathname } = new URL(file, `http://repository/docs/${name}.md`)
  const [, guide] = /^\/docs\/(.+)\.md$/.exec(pathname) ?? []
  if (guide !== undefined) return `/docs/${guide}`
  const [, asset] = /^\/src\/web\/assets\/([\w-]+\.svg)$/.exec(pathname) ?? []
  return asset === undefined ? undefined : `/assets/${asset}`
}
