const load = (name) => require(name ? `@saleproof/sdk/${name}` : '@saleproof/sdk')
const modules = { sdk: load('') }
for (const name of ['gate', 'guard', 'messages', 'publishable', 'testing']) modules[name] = load(name)

const main = async () => {
  const { scenario } = await import('./scenario.mjs')
  console.log(JSON.stringify(await scenario(modules, process.env.SALEPROOF_URL)))
}

void main()
