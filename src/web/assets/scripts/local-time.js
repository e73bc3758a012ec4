// Pages show times in UTC; this adds what the visitor's own clock showed then.
{
  const two = (number) => String(number).padStart(2, '0')
  for (const time of document.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) continue
    const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
    const seconds = / \d\d:\d\d:\d\d /.test(time.textContent) ? `:${two(at.getSeconds())}` : ''
    const clock = `${two(at.getHours())}:${two(at.getMinutes())}${seconds}`
    const isSameDay = time.dateTime.startsWith(day)
    const own = document.createElement('span')
    own.textContent = ` (${isSameDay ? '' : `${day} `}${clock} your time)`
    time.append(own)
  }
}
