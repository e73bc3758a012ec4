import { storageProblem } from '../../base/values/hostile-json.ts'
import { searchForm } from '../../base/values/text-forms/canonical.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { sessionCookie } from '../requests/pages.ts'
import { anyVisitorShell, chosenAccountId } from '../requests/visitor.ts'
import type { ReadVisitor } from '../requests/visitor-type.ts'
import { filterReader } from '../shared/forms/filter-reading.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { resultsPage } from './search-page.ts'
import { searchEverything } from './search-service.ts'

/**
 * The search over everything that a visitor may see; open to everybody.
 *
 * @param options `readDeveloper`: who is signed in, as a person of the developer that was chosen
 */
export async function searchRoutes(app: App, { readDeveloper }: { readDeveloper: ReadVisitor }) {
  app.get('/Search', { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { visitor } = request.page
    const reader = filterReader(request.query, { q: 'Search' })
    const text = reader.text('q') ?? ''
    const q = storageProblem(text) === undefined ? searchForm(text) : ''
    if (text !== '' && q === '') reader.refuse('q', 'Enter letters or digits to search for.')
    const { problems } = reader
    const person = visitor?.worksForDevelopers
      ? await readDeveloper(sessionCookie(request))
      : undefined
    const searcher = {
      userId: visitor?.id,
      partyId: chosenAccountId(request),
      seesAll: visitor?.operator === true || visitor?.support === true,
      developerId: person?.principal?.developerId,
    }
    const finds = q === '' ? undefined : await searchEverything(app.deps, searcher, q)
    if (problems.length > 0) reply.code(422)
    const mustChooseDeveloper = person !== undefined && person.principal === undefined
    const shown = { q: request.query.get('q')?.trim() ?? '', problems, finds, mustChooseDeveloper }
    return sendPage(reply, resultsPage({ ...anyVisitorShell(request, reply), ...shown }))
  })
}
