import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createBound } from '../../../base/fair-share/bound.ts'
import { createSlots } from '../../../base/fair-share/slots.ts'
import { AppError } from '../../../errors.ts'
import type { ConvertedPicture, PictureKind } from './picture.ts'
import type { PictureJob, PictureResult } from './picture-child.ts'

const CHILD = new URL('./picture-child.ts', import.meta.url)
/** How long one picture may take. */
const WORK_MS = 10_000
/** The longest wait for a turn. */
const PATIENCE_MS = 10_000
/** The process ends when nobody has needed it for so long. */
const IDLE_MS = 30_000
/** Pictures under way, of one developer and of all: each is in memory while it waits. */
const UNDER_WAY = { each: 2, all: 16 }
const RETRY_AFTER_SECONDS = 5
/** The pixels are not in this heap. */
const HEAP_MIB = 64
const STDERR_CHARACTERS = 2_000

/** Makes pictures of ours from what developers send. */
export type PictureConverter = {
  /**
   * Reads a picture in a process of its own, one at a time, and makes it anew.
   *
   * @param caller whose picture it is: callers take turns
   * @throws AppError unprocessable when it is none that is taken, or takes too much time or memory;
   *   too_many_requests; unavailable when the process was killed, or cannot start
   */
  convert(caller: string, content: Uint8Array, kind: PictureKind): Promise<ConvertedPicture>
  /** The process that is there now. */
  pid(): number | undefined
  /** Ends the process. */
  close(): void
}

type Options = { log: Logger; workMs?: number; idleMs?: number }

/** Starts the process when it is first needed. */
export function createPictureConverter({
  log,
  workMs = WORK_MS,
  idleMs = IDLE_MS,
}: Options): PictureConverter {
  const places = createBound<string>(UNDER_WAY)
  const turns = createSlots<string>(1, { patience: { ms: PATIENCE_MS, refusal: tooMany } })
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  const end = (one: ChildProcess | undefined) => {
    if (one === undefined) return
    if (child === one) child = undefined
    one.kill('SIGKILL')
  }
  const running = (): ChildProcess => {
    child ??= startChild(log, (one) => {
      if (child === one) child = undefined
    })
    return child
  }
  const work = async (job: PictureJob): Promise<ConvertedPicture> => {
    clearTimeout(idle)
    const own = running()
    try {
      const result = await resultOf(own, job, { workMs, end: () => end(own) })
      if (!('problem' in result)) return result.picture
      if (result.isLast) end(own)
      throw new AppError('unprocessable', { detail: result.problem })
    } finally {
      clearTimeout(idle)
      idle = setTimeout(() => end(child), idleMs).unref()
    }
  }
  return {
    pid: () => child?.pid,
    close() {
      clearTimeout(idle)
      end(child)
    },
    async convert(caller, content, kind) {
      const giveBack = places.take(caller)
      if (giveBack === undefined) throw tooMany()
      try {
        return await turns.run(caller, () => work({ content, kind }))
      } finally {
        giveBack()
      }
    },
  }
}

/**
 * Starts the process, without the variables of this one: they hold secrets. It does not keep this
 * process alive, and ends with it.
 */
function startChild(log: Logger, onExit: (child: ChildProcess) => void): ChildProcess {
  const child = fork(fileURLToPath(CHILD), [], {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    env: { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-STDERR_CHARACTERS)
  })
  child.once('exit', (code, signal) => {
    onExit(child)
    if (code) log.error({ code, signal, stderr: said }, 'the process that reads pictures failed')
  })
  child.on('error', () => onExit(child))
  child.unref()
  child.channel?.unref()
  return child
}

/**
 * What the process makes of a job.
 *
 * @param end ends the process
 */
async function resultOf(
  child: ChildProcess,
  job: PictureJob,
  { workMs, end }: { workMs: number; end: () => void },
): Promise<PictureResult> {
  const { promise, resolve, reject } = Promise.withResolvers<PictureResult>()
  const take = (message: unknown) => resolve(message as PictureResult)
  const fail = () => {
    end()
    reject(unavailable())
  }
  const timer = setTimeout(() => {
    end()
    reject(tooSlow(workMs))
  }, workMs)
  child.once('message', take).once('exit', fail).once('error', fail)
  try {
    child.send(job, (error) => {
      if (error !== null) fail()
    })
    return await promise
  } finally {
    clearTimeout(timer)
    child.off('message', take).off('exit', fail).off('error', fail)
  }
}

function tooSlow(workMs: number): AppError {
  return new AppError('unprocessable', {
    detail: `The picture takes longer than ${workMs / 1000} seconds to read.`,
  })
}

function unavailable(): AppError {
  return new AppError('unavailable', {
    detail: 'The picture could not be read just now. Send it again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

function tooMany(): AppError {
  return new AppError('too_many_requests', {
    detail: `At most ${UNDER_WAY.each} pictures of a developer are read at once. Wait until one is done.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
