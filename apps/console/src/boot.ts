try {
  const theme = localStorage.getItem('saleproof.theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {
  // Without storage the colours are those of the system.
}
