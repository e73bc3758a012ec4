/** How long an answer is waited for, unless said otherwise. */
const PATIENCE_MS = 3_000

type Message = { asked?: string; answered?: true; id: number; data?: unknown; failed?: true }
/** The channel between a supervisor and one worker: `process`, or a worker of the cluster. */
export type Channel = {
  send?(message: object, done: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}
/** What the other side may ask: name -> what answers it. */
export type Answers = Readonly<Record<string, (data: unknown) => unknown>>

/** The other process. */
export type Peer = {
  /** Rejects when the other side fails, is gone or takes too long. */
  ask<Answer>(what: string, data?: unknown, patienceMs?: number): Promise<Answer>
}

/** Questions and answers over a channel that carries single messages. */
export function createPeer(channel: Channel, answers: Answers): Peer {
  const waiting = new Map<number, (message: Message | Error) => void>()
  let lastId = 0

  const send = (message: Message, onFailure: (error: Error) => void) => {
    if (channel.send === undefined) onFailure(new Error('there is no channel'))
    else {
      channel.send(message, (error) => {
        if (error) onFailure(error)
      })
    }
  }
  const answer = async ({ asked = '', id, data }: Message) => {
    try {
      const answered = await answers[asked]?.(data)
      send({ answered: true, id, data: answered }, () => {})
    } catch {
      send({ answered: true, id, failed: true }, () => {})
    }
  }
  channel.on('message', (given) => {
    const message = given as Partial<Message> | null
    if (typeof message?.id !== 'number') return
    if (message.answered) waiting.get(message.id)?.(message as Message)
    else if (typeof message.asked === 'string') void answer(message as Message)
  })
  return {
    ask<Answer>(what: string, data?: unknown, patienceMs = PATIENCE_MS) {
      const id = ++lastId
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const end = (message: Message | Error) => {
        waiting.delete(id)
        clearTimeout(timer)
        if (message instanceof Error) reject(message)
        else if (message.failed) reject(new Error(`the other process failed at: ${what}`))
        else resolve(message.data as Answer)
      }
      const timer = setTimeout(() => end(new Error(`no answer to: ${what}`)), patienceMs)
      waiting.set(id, end)
      send({ asked: what, id, data }, end)
      return promise
    },
  }
}
