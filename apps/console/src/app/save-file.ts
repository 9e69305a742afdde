/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser reads the URL after the click; a minute is plenty.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
