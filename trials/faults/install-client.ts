/** Installs one after the other for whoever forked it, and answers how long each took. */
export type Installs = { url: string; token: string; bodies: object[] }

process.on('message', async ({ url, token, bodies }: Installs) => {
  const times: number[] = []
  for (const body of bodies) {
    const beganAtMs = performance.now()
    const answer = await fetch(`${url}/v1/Account/Installations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    times.push(performance.now() - beganAtMs)
    if (answer.status !== 201) throw new Error(`an install was answered ${answer.status}: ${text}`)
  }
  process.send?.(times)
})
