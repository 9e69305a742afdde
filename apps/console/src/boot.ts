try {
  const theme = localStorage.getItem('saleproof.theme')
  if (theme) document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's theme applies.
}
