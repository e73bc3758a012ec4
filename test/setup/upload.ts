import { type ClientRequest, request } from 'node:http'

/** An import whose body the test writes piece by piece, with the status of its answer. */
export type Upload = ClientRequest & { status: Promise<number> }

/** Begins an upload. */
export function startUpload(
  market: { url: string },
  { token }: { token: string },
  importId: string,
  headers = {},
): Upload {
  const upload = request(`${market.url}/v1/Products/Import?importId=${importId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers },
  })
  upload.on('error', () => {})
  const status = new Promise<number>((resolve) => {
    upload.once('response', (answer) => resolve(answer.resume().statusCode ?? 0))
  })
  return Object.assign(upload, { status })
}
