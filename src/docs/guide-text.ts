/** Where the examples of the guides find the server. */
const EXAMPLE_SERVER = 'http://127.0.0.1:3000'

/**
 * Examples call this server, links lead to its own pages, diagrams are its own files, and files that
 * only the repository has are named without a link.
 */
export function forThisServer(text: string, baseUrl: string): string {
  return text
    .replaceAll(EXAMPLE_SERVER, baseUrl)
    .replaceAll(/\]\(([\w-]+)\.md(#[\w-]*)?\)/g, '](/docs/$1$2)')
    .replaceAll(/\]\(\.\.\/src\/web\/assets\/([\w-]+\.svg)\)/g, '](/assets/$1)')
    .replaceAll(/\[([^\][]+)\]\(\.\.\/[^()\s]*\)/g, '$1')
}
