import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** From left to right; each may import those to its left. */
const layers = [
  'platform',
  'directory',
  'code',
  'ci',
  'planning',
  'review',
  'activity',
  'app',
] as const
type Layer = (typeof layers)[number]

/** Slices of these layers form no cycle at all. */
const acyclic: ReadonlySet<string> = new Set(['platform', 'directory', 'code', 'ci', 'activity'])

/**
 * Slices that still import one another, as `package/layer: slices in alphabetical order`. The list
 * may only get shorter.
 */
const knownCycles: readonly string[] = [
  'core/planning: issues, items, labels, milestones, todos',
  'server/planning: awards, discussions, epics, issue-links, issues, items, markdown, mentions, milestones, notes, quick-actions, system-notes, time-tracking, todos',
  'store/planning: epics, issues, items, notes, snippets',
]

interface SliceLocation {
  package: string
  layer: Layer
  slice: string
}

const files = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root })
  .concat(globSync('bench/src/**/*.ts', { cwd: root }))
  .filter((file) => !/\.test(-d)?\.ts$|\/testing\//.test(file))
const known = new Set(files)

/** Every import of another source file, types included. */
const imports = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const paths = Array.from(text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g), ([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
  return [...new Set(paths)].filter((path) => path !== file && known.has(path))
}

function locationOf(file: string): SliceLocation | undefined {
  const found = /^(?:packages|apps)\/(core|store|server|web)\/src\/([a-z]+)\/([^/]+)\//.exec(file)
  const layer = layers.find((name) => name === found?.[2])
  if (found === null || layer === undefined) return undefined
  return { package: found[1] ?? '', layer, slice: found[3] ?? '' }
}

/** Strongly connected components, each sorted (Tarjan). */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node) ?? 0)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next)
      else if (!stack.includes(next)) continue
      low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) cycles.push(group.toSorted())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return cycles
}

/** Which slices import which, inside each layer of each package. */
function sliceGraphs(): Map<string, Map<string, string[]>> {
  const graphs = new Map<string, Map<string, string[]>>()
  for (const [file, targets] of imports) {
    const from = locationOf(file)
    if (from === undefined) continue
    const name = `${from.package}/${from.layer}`
    const graph = graphs.get(name) ?? new Map<string, string[]>()
    graphs.set(name, graph)
    const edges = graph.get(from.slice) ?? []
    graph.set(from.slice, edges)
    for (const target of targets) {
      const to = locationOf(target)
      if (to?.package !== from.package || to.layer !== from.layer || to.slice === from.slice)
        continue
      edges.push(to.slice)
    }
  }
  return graphs
}

describe('the source', () => {
  it('has files to check', () => {
    expect(files.length).toBeGreaterThan(900)
    expect([...imports.values()].flat().length).toBeGreaterThan(3000)
  })

  it('keeps every slice of core, store and server in a layer', () => {
    const stray = files.filter((file) => {
      const isSliced = /^(packages\/(core|store)|apps\/server)\/src\/.+\//.test(file)
      return (
        isSliced && locationOf(file) === undefined && !/\/src\/(platform|app)\/[^/]+$/.test(file)
      )
    })
    expect(stray).toEqual([])
  })

  it('lets a layer import only the layers to its left', () => {
    const wrong = [...imports].flatMap(([file, targets]) => {
      const layer = layerOf(file)
      if (layer === undefined) return []
      return targets
        .filter((target) => layers.indexOf(layerOf(target) ?? layer) > layers.indexOf(layer))
        .map((target) => `${file} uses ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('has no cycle of files', () => {
    expect(cyclesOf(imports)).toEqual([])
  })

  it.each([...sliceGraphs()].filter(([name]) => acyclic.has(name.split('/')[1] ?? '')))(
    'has no cycle of slices in %s',
    (_, graph) => {
      expect(cyclesOf(graph)).toEqual([])
    },
  )

  it('has no cycle of slices besides the known ones', () => {
    const found = [...sliceGraphs()]
      .filter(([name]) => !acyclic.has(name.split('/')[1] ?? ''))
      .flatMap(([name, graph]) => cyclesOf(graph).map((slices) => `${name}: ${slices.join(', ')}`))
    expect(found.toSorted()).toEqual(knownCycles.toSorted())
  })
})

/** Also for files directly in a layer. */
function layerOf(file: string): Layer | undefined {
  const found = /^(?:packages\/(?:core|store)|apps\/server)\/src\/([a-z]+)\//.exec(file)
  return layers.find((name) => name === found?.[1])
}
