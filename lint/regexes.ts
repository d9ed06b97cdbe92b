import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { type Node, parse } from 'acorn'
import { full } from 'acorn-walk'
import { checkSync } from 'recheck'

/**
 * Proves that every regular expression of the sources takes linear time, whatever the text; prints
 * those that don't, and those that only exist at run time, and fails.
 */

interface Found {
  place: string
  pattern: string
  flags: string
}

interface RegexLiteral extends Node {
  regex?: { pattern: string; flags: string }
}

const isTest = /\.test(?:-d)?\.ts$|\/testing\//

async function listSources(): Promise<string[]> {
  const files: string[] = []
  for await (const file of glob('{packages,apps}/*/src/**/*.ts')) {
    if (!isTest.test(file)) files.push(file)
  }
  return files.toSorted()
}

/** The literals of a file; a `RegExp` that is built counts as one that can't be proven. */
function findRegexes(file: string): { literals: Found[]; built: string[] } {
  // The positions stay: types become blanks.
  const source = stripTypeScriptTypes(readFileSync(file, 'utf8'), { mode: 'strip' })
  const tree = parse(source, { ecmaVersion: 'latest', sourceType: 'module', locations: true })
  const literals: Found[] = []
  const built: string[] = []
  full(tree, (node) => {
    const place = `${file}:${node.loc?.start.line}`
    const { regex } = node as RegexLiteral
    if (regex !== undefined) literals.push({ place, ...regex })
    if (source.startsWith('RegExp', node.start) && node.type === 'Identifier') built.push(place)
  })
  return { literals, built }
}

const problems: string[] = []
const results = new Map<string, string | undefined>()
for (const file of await listSources()) {
  const { literals, built } = findRegexes(file)
  for (const place of built) problems.push(`${place}: a regular expression that is built`)
  for (const { place, pattern, flags } of literals) {
    const text = `/${pattern}/${flags}`
    if (!results.has(text)) results.set(text, problemOf(pattern, flags))
    const problem = results.get(text)
    if (problem !== undefined) problems.push(`${place}: ${problem}: ${text}`)
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`${results.size} regular expressions, ${problems.length} problems\n`)
if (problems.length > 0) process.exitCode = 1

function problemOf(pattern: string, flags: string): string | undefined {
  const { status, ...rest } = checkSync(pattern, flags, { timeout: 20_000 })
  if (status === 'safe') return undefined
  const complexity = 'complexity' in rest ? rest.complexity?.summary : undefined
  return `${status}${complexity === undefined ? '' : ` (${complexity})`}`
}
