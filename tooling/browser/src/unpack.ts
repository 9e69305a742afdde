import chromium from '@sparticuz/chromium'

// A program of its own: where it unpacks to is for the whole process to know, by TMPDIR.
await chromium.executablePath()
