const BAR_WIDTH = 30

/** A progress bar on standard error, shown only in a terminal. */
export type ProgressBar = {
  /**
   * Shows the progress.
   *
   * @param words the text beside the bar
   * @param lastPhase the text when everything is read
   */
  show(done: number, total: number, words: string, lastPhase: string): void
  end(words?: string): void
}

/** A bar on stderr; shows nothing where stderr is no terminal. */
export function progressBar(): ProgressBar {
  const { stderr } = process
  let shown = ''
  return {
    show(done, total, words, lastPhase) {
      if (!stderr.isTTY) return
      const share = total === 0 ? 1 : Math.min(1, done / total)
      const filled = Math.round(share * BAR_WIDTH)
      const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
      const phase = share === 1 ? lastPhase : `${Math.floor(share * 100)} %`
      const text = `\r${bar} ${phase}, ${words}`
      if (text !== shown) stderr.write(`${text}\u001b[K`)
      shown = text
    },
    end(words) {
      if (shown !== '') stderr.write('\n')
      shown = ''
      if (words !== undefined && stderr.isTTY) stderr.write(`${words}\n`)
    },
  }
}
