/** A piece of code that calls the API with the token in the environment variable `TOKEN`. */
export type CodeSample = { language: string; code: string }

/** What a token may do -> the first call that is worth a try; the last one needs no permission. */
const FIRST_CALLS = [
  { permission: 'products:read', path: '/v1/Products?limit=3' },
  { permission: 'profile:read', path: '/v1/User/Profile' },
  { permission: undefined, path: '/v1/Installation' },
] as const

/**
 * One call in curl, JavaScript and Python, with nothing to be installed.
 *
 * @param baseUrl of the marketplace
 */
export function codeSamples(baseUrl: string, permissions: readonly string[]): CodeSample[] {
  const call = FIRST_CALLS.find(
    ({ permission }) => permission === undefined || permissions.includes(permission),
  )
  const url = `${baseUrl}${call?.path}`
  return [
    { language: 'curl', code: `curl "${url}" -H "authorization: Bearer $TOKEN"` },
    {
      language: 'JavaScript',
      code: [
        `const response = await fetch('${url}', {`,
        "  headers: { authorization: 'Bearer ' + process.env.TOKEN },",
        '})',
        'console.log(response.status, await response.json())',
      ].join('\n'),
    },
    {
      language: 'Python',
      code: [
        'import json, os, urllib.request',
        '',
        'request = urllib.request.Request(',
        `    '${url}',`,
        `    headers={'authorization': 'Bearer ' + os.environ['TOKEN']},`,
        ')',
        'with urllib.request.urlopen(request) as response:',
        '    print(response.status, json.load(response))',
      ].join('\n'),
    },
  ]
}
