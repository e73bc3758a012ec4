import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendStreamedFile } from '../../../http/bodies/streamed-file.ts'
import { exportAudit } from '../../../identity/audit/audit-export-service.ts'
import { AUDIT_FILES } from '../../../identity/audit/audit-file.ts'
import { recogniseAgain, requireOperator, visitorOf } from '../../requests/visitor.ts'
import { readChosen } from '../../shared/forms/filter-params.ts'
import { filterReader } from '../../shared/forms/filter-reading.ts'
import { Fields } from '../../shared/forms/settings-form.ts'
import { TRAIL_PARAMS, trailFilters } from '../list-filters.ts'

/** The audit trail as a file, with the filters of its page. */
export async function auditExportRoutes(app: App) {
  app.get(
    '/Operator/Audit/Export',
    { schema: { hide: true, querystring: Fields } },
    async (request, reply) => {
      const reader = filterReader(request.query, {})
      const chosen = await readChosen(reader, TRAIL_PARAMS)
      if (reader.problems.length > 0) throw new AppError('unprocessable')
      const format = request.query.get('format') === 'csv' ? 'spreadsheet' : 'ndjson'
      const checkAgain = async () => requireOperator(request, await recogniseAgain(request))
      return sendStreamedFile(reply, {
        ...AUDIT_FILES[format],
        userId: visitorOf(request).id,
        open: () => exportAudit(app.deps, trailFilters(chosen), format, checkAgain),
      })
    },
  )
}
