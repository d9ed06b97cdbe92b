import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BenchRow } from '../bench-row.ts'
import { load } from '../load/load.ts'
import { repositoryRoot } from '../paths.ts'
import { requestHeaders } from '../rows.ts'
import { startStithy } from '../servers.ts'

/** The distribution of processor time under load. */
export interface Profile {
  name: string
  /** Functions by cost, most expensive first. */
  costs: Cost[]
}

export interface Cost {
  /** `functionName packages/store/src/page.ts` */
  where: string
  /** Shares of the busy time: of the function alone, and with its callees. */
  self: number
  total: number
}

interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
  columnNumber: number
}

interface ProfileNode {
  id: number
  callFrame: CallFrame
  children?: number[]
}

interface CpuProfile {
  nodes: ProfileNode[]
  samples: number[]
  timeDeltas: number[]
}

/** Loads one row on a separate server with V8's sampling profiler. */
export function profileRow(
  { name, path, headers = requestHeaders }: Pick<BenchRow, 'name' | 'path' | 'headers'>,
  folder: string,
  seconds: number,
): Promise<Profile> {
  return profileServer({ name, folder, seconds }, (url, time) =>
    load(url + path, { ...headers }, time),
  )
}

export interface ProfileOptions {
  name: string
  folder: string
  seconds: number
  env?: Readonly<Record<string, string>>
}

/** Profiles a separate server while `work` loads it for a number of seconds. */
export async function profileServer(
  { name, folder, seconds, env = {} }: ProfileOptions,
  work: (url: string, seconds: number) => Promise<unknown>,
): Promise<Profile> {
  const output = mkdtempSync(join(tmpdir(), 'stithy-profile-'))
  try {
    const execArgv = ['--cpu-prof', `--cpu-prof-dir=${output}`, '--cpu-prof-interval=200']
    const server = await startStithy(folder, { execArgv, env })
    await work(server.url, seconds + 1).finally(server.stop)
    const [file = ''] = readdirSync(output)
    const profile = JSON.parse(readFileSync(join(output, file), 'utf8')) as CpuProfile
    return { name, costs: costsOf(profile, seconds) }
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

const notBusy = new Set(['(idle)', '(program)', '(root)'])

/** Only the last `seconds` count: before them are the start and the first second of load. */
function costsOf({ nodes, samples, timeDeltas }: CpuProfile, seconds: number): Cost[] {
  const selves = new Map<number, number>()
  let left = seconds * 1_000_000
  for (let index = samples.length - 1; index >= 0 && left > 0; index -= 1) {
    const [id = 0, time = 0] = [samples[index], timeDeltas[index]]
    selves.set(id, (selves.get(id) ?? 0) + time)
    left -= time
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const costs = new Map<string, Cost>()
  const locate = createLocator()
  let busy = 0
  /** Adds up the node and its descendants; `around` are the functions that already count it. */
  function visit(node: ProfileNode, around: ReadonlySet<string>): number {
    const where = locate(node.callFrame)
    const self = notBusy.has(where) ? 0 : (selves.get(node.id) ?? 0)
    const inside = new Set([...around, where])
    const children = (node.children ?? []).map((id) => byId.get(id)).filter((child) => !!child)
    const total = children.reduce((sum, child) => sum + visit(child, inside), self)
    const cost = costs.get(where) ?? { where, self: 0, total: 0 }
    cost.self += self
    if (!around.has(where)) cost.total += total
    costs.set(where, cost)
    busy += self
    return total
  }
  const [root] = nodes
  if (root !== undefined) visit(root, new Set())
  const shares = [...costs.values()].map(({ where, self, total }) => ({
    where,
    self: self / busy,
    total: total / busy,
  }))
  return shares.filter(({ where }) => !notBusy.has(where)).toSorted((a, b) => b.self - a.self)
}

/** Maps a function of the bundle to its source file. */
function createLocator(): (frame: CallFrame) => string {
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (url: string) => {
    if (!maps.has(url)) {
      const file = url.startsWith('file:') ? `${fileURLToPath(url)}.map` : ''
      const payload = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
      maps.set(url, payload && new SourceMap(payload))
    }
    return maps.get(url)
  }
  return ({ functionName, url, lineNumber, columnNumber }) => {
    const name = functionName === '' ? '(anonymous)' : functionName
    const origin = mapOf(url)?.findEntry(lineNumber, columnNumber)
    if (origin !== undefined && 'originalSource' in origin) {
      return `${name} ${shorten(origin.originalSource)}:${origin.originalLine + 1}`
    }
    return url === '' ? name : `${name} ${shorten(url)}:${lineNumber + 1}`
  }
}

function shorten(source: string): string {
  const modules = source.lastIndexOf('node_modules/')
  if (modules >= 0) return source.slice(modules + 'node_modules/'.length)
  if (source.startsWith('file:')) return relative(repositoryRoot, fileURLToPath(source))
  return source.replace(/^(?:\.\.\/)+/, '')
}
