// A form that was refused is the answer to a POST: Back, Forward and reload ask for its page instead of
// sending it again. Without this, the browser asks first.
if (document.querySelector('main [role=alert]'))
  history.replaceState(history.state, '', location.href)
