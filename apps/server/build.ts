import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { type BuildOptions, build, type Loader, type Plugin } from 'esbuild'
import { bundledScript, embedded } from '../../packages/web/src/app/script/bundled-script.ts'

/**
 * Bundles the server into dist/, or the folder given: `main.js`, and next to it `git-broker.js`, a file for each kind
 * of worker thread (`read-worker.js`, `text-worker.js`, …), `emoji-list.js` and the folder
 * `templates`. One file loads several times faster than the thousand modules behind it. Native addons, and what is
 * only loaded on demand, are left outside.
 */
const [outdir = 'dist'] = process.argv.slice(2)
rmSync(outdir, { recursive: true, force: true })

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }

function revision(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=11', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}

/**
 * Escapes what isn't ASCII in all sources, as esbuild itself does in strings: with a single such character, in a
 * regular expression or a template, the text of a script takes two bytes of memory for each character.
 */
const asciiSources: Plugin = {
  name: 'ascii-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const loader: Loader = extname(path).endsWith('ts') ? 'ts' : 'js'
      return { contents: readFileSync(path, 'utf8').replace(/[^\0-\x7f]/g, escaped), loader }
    })
  },
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Fastify and prom-client load these at their start, for HTTPS and HTTP/2 servers and for gateways
 * of metrics, none of which is used. With them Node.js reads 150 root certificates: 3 MB.
 */
const lazyTls: Plugin = {
  name: 'lazy-tls',
  setup({ onResolve, onLoad }) {
    const namespace = 'lazy-tls'
    onResolve({ filter: /^(node:)?(https|http2)$/ }, ({ path, importer }) => {
      if (!/[/\\](fastify[/\\]lib[/\\]server|pushgateway)\.js$/.test(importer)) return undefined
      return { path, namespace }
    })
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require('${path}')[name] })`,
    }))
  },
}

/** The script of the web pages is part of the server. */
const pageScript: Plugin = {
  name: 'page-script',
  setup({ onResolve, onLoad }) {
    const namespace = 'page-script'
    onResolve({ filter: /^#bundled-script$/ }, ({ path }) => ({ path, namespace }))
    onLoad({ filter: /^#bundled-script$/, namespace }, async () => ({
      contents: embedded(await bundledScript()),
    }))
  },
}

const shared: BuildOptions = {
  outdir,
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  conditions: ['@stithy/source'],
  // Its ES modules import node:http, which loads the implementation of `fetch`.
  alias: { nodemailer: createRequire(import.meta.url).resolve('nodemailer') },
  // ssh2 does without its addons.
  external: [
    'better-sqlite3',
    'pg-native',
    '@scalar/fastify-api-reference',
    'cpu-features',
    '*.node',
  ],
  define: {
    // Variables of CommonJS.
    __dirname: 'import.meta.dirname',
    __filename: 'import.meta.filename',
    STITHY_VERSION: JSON.stringify(version),
    STITHY_REVISION: JSON.stringify(revision()),
  },
  // CommonJS dependencies ask for node's modules through require.
  banner: {
    js: "import { createRequire as __stithyRequire } from 'node:module'; const require = __stithyRequire(import.meta.url);",
  },
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  plugins: [asciiSources, lazyTls, pageScript],
  logLevel: 'warning',
}

await build({
  ...shared,
  entryPoints: {
    main: 'src/main.ts',
    'git-broker': '../../packages/git/src/broker/main.ts',
  },
})
// On its own: next to the server, whatever that needs of a package would be loaded with it.
await build({
  ...shared,
  entryPoints: {
    'text-worker': 'src/platform/text/text-worker.ts',
    'lint-worker': 'src/ci/lint/lint-worker.ts',
    'openpgp-worker': 'src/platform/openpgp/openpgp-worker.ts',
    'report-worker': 'src/ci/vulnerabilities/reports/report-worker.ts',
    'checkpoint-worker': '../../packages/store/src/platform/dialect/checkpoint-worker.ts',
    'index-worker': '../../packages/store/src/platform/dialect/index-worker.ts',
    'full-text-worker': '../../packages/store/src/platform/dialect/full-text-worker.ts',
    'read-worker': '../../packages/store/src/platform/dialect/read-worker.ts',
    'emoji-list': 'src/platform/text/emoji/emoji-list.ts',
  },
})
cpSync('src/directory/templates/data', `${outdir}/templates`, { recursive: true })
