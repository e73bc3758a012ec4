// Buttons print the page. Without this, the browser's own menu does.
{
  for (const button of document.querySelectorAll('button[data-print]')) {
    button.hidden = false
    button.addEventListener('click', () => print())
  }
}
