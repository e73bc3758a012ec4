// A form that was refused is the answer to a POST: Back, Forward and reload ask for its page instead of
// sending it again, as it was opened: with the link, the page that it leads to, or what was chosen. Without this, the
// browser asks first.
if (document.querySelector('main [role=alert]')) {
  const opened = new URL(location.href)
  for (const { name, value } of document.querySelectorAll(
    'main :is([name=token], [name=next], [name=ids], [name=from])',
  )) {
    opened.searchParams.set(name, value)
  }
  history.replaceState(history.state, '', opened)
}
