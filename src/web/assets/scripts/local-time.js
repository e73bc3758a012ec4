// Pages show times in UTC. This shows how long ago they were, with the visitor's own clock on hover;
// times with seconds and those of other months are shown by the visitor's clock. Paper gets UTC.
{
  const two = (number) => String(number).padStart(2, '0')
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  const STEPS = [
    ['minute', 60],
    ['hour', 3600],
    ['day', 86_400],
  ]
  const MONTH_SECONDS = 30 * 86_400
  const timesOf = (selector) =>
    [...document.querySelectorAll(selector)].flatMap((time) => {
      const at = new Date(time.dateTime)
      if (Number.isNaN(at.getTime())) return []
      const utc = time.textContent
      const isExact = / \d\d:\d\d:\d\d /.test(utc)
      const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
      const clock = `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
      const isDay = /^[\d-]{10}$/.test(utc)
      const own = isExact ? `${clock}:${two(at.getSeconds())}` : isDay ? day : clock
      time.title = isExact ? utc : `${clock} your time, ${utc}`
      return [{ time, at, utc, own, isExact }]
    })
  let times = timesOf('time[datetime]')

  function since(at) {
    const seconds = (at.getTime() - Date.now()) / 1000
    const size = Math.abs(seconds)
    if (size >= MONTH_SECONDS) return undefined
    const [unit, length] = STEPS.findLast(([, least]) => size >= least) ?? []
    return unit === undefined ? 'just now' : words.format(Math.trunc(seconds / length), unit)
  }

  function show() {
    for (const { time, at, own, isExact } of times) {
      time.textContent = (isExact ? undefined : since(at)) ?? own
    }
  }

  show()
  setInterval(show, 60_000)
  document.addEventListener('live', () => {
    times = [
      ...times.filter(({ time }) => time.isConnected),
      ...timesOf('time[datetime]:not([title])'),
    ]
    show()
  })
  addEventListener('beforeprint', () => {
    for (const { time, utc } of times) time.textContent = utc
  })
  addEventListener('afterprint', show)
}
