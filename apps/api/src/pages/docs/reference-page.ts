/** The API reference. Links are relative, so that it works below any path prefix. */
export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Saleproof API reference</title>
<link rel="icon" type="image/svg+xml" href="favicon.ico">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/docs.css">
<script src="docs/swagger-ui-bundle.js" defer></script>
<script src="docs/initializer.js" defer></script>
</head>
<body>
<nav class="top" aria-label="Documentation">
<a href="docs" aria-current="page">Reference</a>
<a href="docs/errors">Error codes</a>
<a href="openapi.json">openapi.json</a>
</nav>
<main id="reference">
<p class="notice">The reference needs JavaScript. The same as data: <a href="openapi.json">openapi.json</a>.</p>
</main>
</body>
</html>
`

/** Replaces the initializer of the viewer's package, which loads an example from another host. */
export const initializer = `const reference = document.getElementById('reference')

const colours = matchMedia('(prefers-color-scheme: dark)')
const paint = () => document.documentElement.classList.toggle('dark-mode', colours.matches)
colours.addEventListener('change', paint)
paint()

async function start() {
  const response = await fetch('openapi.json')
  if (!response.ok) throw new Error(String(response.status))
  const spec = await response.json()
  // Requests go to this page's origin: the browser would block them to another name of the same host.
  spec.servers = [{ url: new URL('.', location.href).href.replace(/\\/$/, '') }]
  reference.replaceChildren()
  SwaggerUIBundle({
    spec,
    domNode: reference,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    layout: 'BaseLayout',
    presets: [SwaggerUIBundle.presets.apis],
    supportedSubmitMethods: ['get', 'head', 'post'],
    validatorUrl: null,
  })
}

start().catch(() => {
  reference.textContent = 'The reference could not be loaded.'
})
`
