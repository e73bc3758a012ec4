import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, everything, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { acceptAll, listedApp, newCustomer } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'

const PDF = '%PDF-1.7\n%%EOF'
const OTHER = '%PDF-1.7\n%other\n%%EOF'
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const beside = (content: string) => ({ sha256: hashOf(content), size: content.length })

let market: TestMarketplace
let developer: Author
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())

async function appWithTerms(pdf?: string) {
  const { id } = await listedApp(developer, draft(newId()))
  await developer.putTerms(id, '# Terms')
  if (pdf !== undefined) expect((await developer.putTermsPdf(id, pdf)).status).toBe(200)
  return id
}
const documentsOf = (appId: string) => market.deps.db.termsDocument.count({ where: { appId } })

async function accepted(appId: string) {
  const customer = await newCustomer(market)
  const consent = await acceptAll(market, appId)
  const { body, status, text } = await customer.install({
    ...{ appId, purchaseOptionId: 'free', ...consent },
  })
  if (status !== 201) throw new Error(text)
  return { customer, installationId: body.id as string }
}

describe('a PDF beside terms that are text', () => {
  test('is a download for all who may read the terms, and is not what is accepted', async () => {
    const id = await appWithTerms()
    const before = (await developer.read(id)).body.termsDocument
    expect(before).not.toHaveProperty('pdf')
    const put = await developer.putTermsPdf(id, PDF)
    expect(put.status, put.text).toBe(200)
    expect(put.body).toEqual({ ...before, pdf: beside(PDF) })
    expect((await developer.read(id)).body.termsDocument).toEqual(put.body)
    const shown = await call(market, 'GET', `/v1/Apps/${id}`)
    expect(shown.body.termsDocument).toEqual(put.body)

    const { customer, installationId } = await accepted(id)
    const answers = await Promise.all([
      call(market, 'GET', `/v1/Apps/${id}/TermsDocument/Pdf`),
      developer.send('GET', `/${id}/TermsDocument/Pdf`),
      customer.send('GET', `/${installationId}/TermsDocument/Pdf`),
      customer.send('GET', `/${installationId}/Upgrade/TermsDocument/Pdf`),
    ])
    for (const { status, headers } of answers) {
      expect(status).toBe(200)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${id}-terms-${hashOf(PDF).slice(0, 8)}.pdf"`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
        etag: `"${hashOf(PDF)}"`,
      })
    }
    const { body } = await customer.send('GET', `/${installationId}/Acceptances`)
    expect(body[0]).toMatchObject({ kind: 'terms', sha256: before.sha256, text: '# Terms' })
  })

  test('goes along with the text into later versions, and goes with the text', async () => {
    const id = await appWithTerms(PDF)
    const { body: definition } = await developer.send('GET', `/${id}/Definition`)
    expect((await developer.put({ ...definition, version: '2' })).status).toBe(200)
    expect((await developer.read(id)).body.termsDocument.pdf).toEqual(beside(PDF))
    await developer.putTerms(id, '# Others', 'text/markdown', '?version=3')
    expect((await developer.read(id)).body.termsDocument).not.toHaveProperty('pdf')
    expectProblem(await call(market, 'GET', `/v1/Apps/${id}/TermsDocument/Pdf`), 'not_found')
  })

  test('is deleted with a text that nobody has accepted', async () => {
    const id = await appWithTerms(PDF)
    expect(await documentsOf(id)).toBe(2)
    expect((await developer.putTermsPdf(id, OTHER)).status).toBe(200)
    expect(await documentsOf(id)).toBe(2)
    expect((await developer.send('DELETE', `/${id}/TermsDocument`)).status).toBe(204)
    expect(await documentsOf(id)).toBe(0)
  })

  test('is taken away on its own', async () => {
    const id = await appWithTerms(PDF)
    expect((await developer.send('DELETE', `/${id}/TermsDocument/Pdf`)).status).toBe(204)
    expect(await documentsOf(id)).toBe(1)
    expectProblem(await developer.send('DELETE', `/${id}/TermsDocument/Pdf`), 'not_found')
  })

  test('stays once the text was accepted; a first one may be added then', async () => {
    const id = await appWithTerms()
    await accepted(id)
    expect((await developer.putTermsPdf(id, PDF)).status).toBe(200)
    const before = await everything(market)
    expectProblem(await developer.putTermsPdf(id, OTHER), 'conflict')
    expectProblem(await developer.send('DELETE', `/${id}/TermsDocument/Pdf`), 'conflict')
    expect((await developer.putTermsPdf(id, PDF)).status).toBe(200)
    expect(await everything(market)).toEqual(before)
    const sql = `UPDATE terms_documents SET pdf_sha256 = NULL, pdf_size = NULL WHERE app_id = '${id}'`
    await expect(market.deps.pool.query(sql)).rejects.toThrow(/not allowed/)
  })

  test('is guarded by If-Match', async () => {
    const id = await appWithTerms(PDF)
    const stale = await developer.putTermsPdf(id, OTHER, { 'if-match': `"${hashOf(OTHER)}"` })
    expectProblem(stale, 'precondition_failed')
    const known = await developer.putTermsPdf(id, OTHER, { 'if-match': `"${hashOf(PDF)}"` })
    expect(known.status).toBe(200)
  })

  test('needs terms that are text', async () => {
    const { id } = await listedApp(developer, draft(newId()))
    expectProblem(await developer.putTermsPdf(id, PDF), 'unprocessable')
    await developer.putTerms(id, PDF, 'application/pdf')
    expectProblem(await developer.putTermsPdf(id, OTHER), 'unprocessable')
  })

  test('must be a PDF', async () => {
    const id = await appWithTerms()
    expectProblem(await developer.putTermsPdf(id, '# Terms'), 'unprocessable')
    const text = await developer.putTermsPdf(id, PDF, { 'content-type': 'text/markdown' })
    expectProblem(text, 'unsupported_media_type')
    expectProblem(await developer.putTermsPdf(id, ''), 'unprocessable')
  })

  test('is not put by another developer', async () => {
    const id = await appWithTerms()
    const other = await author(market, 1)
    expectProblem(await other.putTermsPdf(id, PDF), 'not_found')
    expectProblem(await other.send('DELETE', `/${id}/TermsDocument/Pdf`), 'not_found')
  })
})
