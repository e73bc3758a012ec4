// While parts of a page say that something is pending, they are read again until that is done.
// Without this, a reload shows it.
{
  const said = document.createElement('p')
  said.className = 'visually-hidden'
  said.setAttribute('aria-live', 'polite')
  let waitMs = 2000
  const pending = () => [...document.querySelectorAll('[data-live]')]
  // What is hidden or has the focus stays as it is until later.
  const isBusy = () =>
    document.hidden || pending().some((part) => part.contains(document.activeElement))
  const again = () => setTimeout(refresh, waitMs)
  async function refresh() {
    if (isBusy()) return again()
    waitMs = Math.min(waitMs * 1.3, 30000)
    const answer = await fetch(location.href).catch(() => undefined)
    const text = answer?.ok && (await answer.text().catch(() => undefined))
    if (!text || isBusy()) return again()
    const page = new DOMParser().parseFromString(text, 'text/html')
    for (const part of pending()) {
      const next = page.getElementById(part.id)
      // Another page, such as a sign-in, says nothing of it.
      if (!next) return
      part.replaceWith(next)
      if (next.dataset.says) said.textContent = next.dataset.says
    }
    document.dispatchEvent(new Event('live'))
    if (pending().length > 0) again()
  }
  if (pending().length > 0) {
    document.body.append(said)
    again()
  }
}
