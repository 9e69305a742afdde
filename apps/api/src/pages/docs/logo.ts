/** The icon of every page that is not the console's. Browsers ask for `/favicon.ico` unasked, and take this for it. */
export const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="2 2 28 28">
  <title>Saleproof</title>
  <path fill="#0b6b52" d="M6 3h20a3 3 0 0 1 3 3v7.2a2.9 2.9 0 0 0 0 5.6V26a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-7.2a2.9 2.9 0 0 0 0-5.6V6a3 3 0 0 1 3-3Z"/>
  <path fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round" d="m10.5 16.4 3.9 3.9 7.3-8.3"/>
</svg>
`
