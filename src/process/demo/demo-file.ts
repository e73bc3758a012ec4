import { z } from 'zod'

/** What `demo.json` says: everything needed to try the demo marketplace. */
export const Demo = z.object({
  baseUrl: z.string(),
  operator: z.object({ email: z.string(), password: z.string() }),
  developers: z.array(
    z.object({
      name: z.string(),
      clientId: z.string(),
      password: z.string(),
      apps: z.array(z.string()),
      /** Opens the developer console; an owner. */
      person: z.object({ email: z.string(), password: z.string() }),
    }),
  ),
  users: z.array(
    z.object({
      email: z.string(),
      password: z.string(),
      partyId: z.number(),
      partyName: z.string(),
      partyType: z.enum(['Buyer', 'Seller', 'None']),
    }),
  ),
  installations: z.array(z.object({ id: z.string(), appId: z.string(), partyId: z.number() })),
})
export type Demo = z.infer<typeof Demo>

const TOKEN_OF_ANSWER = String.raw`sed 's/.*"token":"\([^"]*\)".*/\1/'`

/** The four steps of the main flow as lines for a shell, with the demo's own values. */
function mainFlowLines(demo: Demo): string[] {
  const { baseUrl } = demo
  const [developer] = demo.developers
  const installation = demo.installations.find(({ appId }) => developer?.apps.includes(appId))
  const json = "-H 'content-type: application/json'"
  const credentials = JSON.stringify({
    clientId: developer?.clientId,
    password: developer?.password,
  })
  const asDeveloper = '-H "authorization: Bearer $DEVELOPER_TOKEN"'
  const wanted = JSON.stringify({ installationId: installation?.id })
  return [
    `DEVELOPER_TOKEN=$(curl -s ${baseUrl}/v1/Auth ${json} -d '${credentials}' | ${TOKEN_OF_ANSWER})`,
    `curl -s ${baseUrl}/v1/Developer/Installations ${asDeveloper}`,
    `APP_TOKEN=$(curl -s ${baseUrl}/v1/Developer/Token ${asDeveloper} ${json} -d '${wanted}' | ${TOKEN_OF_ANSWER})`,
    `curl -s "${baseUrl}/v1/Products?limit=3" -H "authorization: Bearer $APP_TOKEN"`,
  ]
}

/** What the start of a demo marketplace prints. */
export function demoBanner(demo: Demo, file: string): string {
  const [user] = demo.users
  const { apps: [app] = [], person } = demo.developers[0] ?? {}
  return [
    '',
    `App Marketplace with a demo marketplace is ready at ${demo.baseUrl}`,
    '',
    'Try the main flow:',
    '',
    ...mainFlowLines(demo).map((line) => `  ${line}`),
    '',
    `Try the redirect in a browser, as ${user?.email} with the password ${user?.password}:`,
    '',
    `  ${demo.baseUrl}/Apps/Authenticate/${app}`,
    '',
    `Open the developer console, as ${person?.email} with the password ${person?.password}:`,
    '',
    `  ${demo.baseUrl}/Developer`,
    '',
    `Write an app of your own: ${demo.baseUrl}/docs/first-app`,
    `All documentation: ${demo.baseUrl}/docs   All credentials: ${file}`,
    '',
  ].join('\n')
}
