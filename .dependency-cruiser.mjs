// Which module may import which: checked by `pnpm lint`. A drawing of the folders of the service:
// pnpm exec depcruise apps/api/src --collapse '^apps/api/src/[^/]+' --output-type mermaid

const own = '^(?:packages|apps|clients|tooling)/'
const api = '^apps/api/src/'
/** Not part of what is published or deployed. */
const tests = String.raw`\.(?:test|fixture)\.tsx?$`

// The folders of apps/api/src. Each imports values only from folders before it, so that there is no cycle of folders.
const apiFolders = [
  'records',
  'crypto',
  'db',
  'domain',
  'import-export',
  'usage',
  'rate-limit',
  'observability',
  'http',
  'pages',
  'api',
  'console',
  'maintenance',
  'cluster',
  'commands',
]

const folderRules = apiFolders.map((folder, index) => {
  const allowed = apiFolders.slice(0, index + 1)
  return {
    name: `api-folder-order: ${folder}`,
    severity: 'error',
    from: { path: `${api}${folder}/`, pathNot: tests },
    to: {
      path: `${api}[^/]+/`,
      pathNot: `${api}(?:generated|${allowed.join('|')})/`,
      dependencyTypesNot: ['type-only'],
    },
  }
})

/** A package that may import nothing but itself and what is named here. */
const onlyImports = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { pathNot: tests, ...from },
  to: { pathNot: [from.path, ...allowed] },
})

const npm = (name) => `node_modules/${name}/`

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    ...folderRules,
    {
      name: 'composition-root',
      comment: 'The service is put together by its entry and by commands alone.',
      severity: 'error',
      from: { path: `${api}[^/]+/`, pathNot: [`${api}commands/`, tests] },
      to: { path: `${api}(?:main|processes|service|open-\\w+)\\.ts$`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'resolvable',
      severity: 'error',
      // The program for React Native is bundled in a folder that has what it imports.
      from: { pathNot: '^tooling/sdk-runtimes/react-native/' },
      // The Prisma client and the built service are there only after `pnpm build`. Electron and React Native, for which there are examples,
      // and Metro are not installed here.
      to: {
        couldNotResolve: true,
        pathNot: '/generated/|/dist/main\\.mjs$|^electron$|^metro$|react-native',
      },
    },
    {
      name: 'nothing-imports-from-an-app',
      severity: 'error',
      from: { pathNot: '^apps/' },
      to: { path: '^apps/' },
    },
    {
      name: 'nothing-imports-from-another-app',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'no-relative-import-across-packages',
      severity: 'error',
      from: { path: `${own}([^/]+)/` },
      to: { path: own, pathNot: `${own}$1/`, dependencyTypes: ['local'] },
    },
    onlyImports(
      'schema-needs-valibot-alone',
      { path: '^packages/schema/src/', pathNot: [tests, '/openapi/'] },
      [npm('valibot')],
    ),
    onlyImports('schema-openapi', { path: '^packages/schema/src/openapi/' }, [
      '^packages/schema/src/',
      npm('valibot'),
      npm('@valibot/to-json-schema'),
    ]),
    onlyImports(
      'sdk-needs-schema-and-valibot-alone',
      { path: '^packages/sdk/src/', pathNot: [tests, '/cli/', '/node/'] },
      ['^packages/schema/src/', npm('valibot')],
    ),
    onlyImports('sdk-node-needs-files', { path: '^packages/sdk/src/node/' }, [
      '^packages/(?:sdk|schema)/src/',
      '^path$',
      '^fs/promises$',
      '^timers/promises$',
    ]),
    onlyImports('sdk-command-needs-node', { path: '^packages/sdk/src/cli/' }, [
      '^packages/sdk/src/',
      '^util$',
      '^stream(?:/consumers)?$',
    ]),
    {
      name: 'api-outgoing-connections',
      comment:
        'The service connects to nothing but its databases, Redis and the trace collector (SECURITY.md, API7).',
      severity: 'error',
      from: {
        path: api,
        pathNot: [
          tests,
          `${api}redis.ts`,
          `${api}observability/tracing/provider.ts`,
          `${api}db/postgres/tls.ts`,
        ],
      },
      to: {
        path: [
          '^(?:https|http2|tls|dgram|dns|dns/promises)$',
          npm('(?:undici|axios|got|node-fetch|ioredis|redis|@opentelemetry/exporter-[^/]+)'),
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
  ],
  options: {
    exclude: { path: `${own}[^/]+/(?:dist|dist-test|node_modules|\\.\\w+)/` },
    doNotFollow: { path: ['node_modules', '/generated/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@saleproof/source', 'import', 'node', 'default'],
    },
  },
}
