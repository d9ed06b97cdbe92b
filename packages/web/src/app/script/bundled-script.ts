import { fileURLToPath } from 'node:url'

/** Where the script begins. */
const entry = new URL('../../browser/main.ts', import.meta.url)

/**
 * Bundles the script of the pages, for servers that run from source. Others have it embedded: see
 * `imports` in package.json, and the build of the server.
 */
export async function bundledScript(): Promise<string> {
  const { default: esbuild } = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    conditions: ['@stithy/source'],
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}

/** The source of a module like this one that has the script embedded. */
export function embedded(script: string): string {
  return `export const bundledScript = async () => ${JSON.stringify(script)}\n`
}
