import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serverFolder } from '../paths.ts'
import { hostileTexts, ordinaryTexts } from './markdown-texts.ts'
import { median } from './pairs.ts'

/** How many times the bare parser's time an ordinary text may take. */
export const markdownGoal = 1.5
/** How many times the time a hostile text of twice the length may take. */
export const growthGoal = 2.5

export interface MarkdownFigures {
  /** Milliseconds of processor time, by text. */
  ordinary: { name: string; bare: number; ours: number; times: number }[]
  hostile: { name: string; once: number; twice: number; times: number }[]
}

interface Renderer {
  bare: (text: string) => unknown
  ours: (text: string, gfm: boolean) => Promise<unknown>
}

/** Rendering in this process, without the thread around it, beside the parser alone with the same options. */
export async function measureMarkdown(rounds: number): Promise<MarkdownFigures> {
  const renderer = await loadRenderer()
  const figures: MarkdownFigures = { ordinary: [], hostile: [] }
  for (const { name, text, gfm } of ordinaryTexts) {
    const turns = await inTurn(
      rounds,
      () => renderer.bare(text),
      () => renderer.ours(text, gfm),
    )
    figures.ordinary.push({ name, bare: turns.first, ours: turns.second, times: turns.times })
  }
  for (const { name, text } of hostileTexts) {
    const [short, long] = [text(200_000), text(400_000)]
    const turns = await inTurn(
      rounds,
      () => renderer.ours(short, true),
      () => renderer.ours(long, true),
    )
    figures.hostile.push({ name, once: turns.first, twice: turns.second, times: turns.times })
  }
  return figures
}

/** Medians of the times, and of what the second takes of the first in the same round. */
async function inTurn(rounds: number, first: () => unknown, second: () => unknown) {
  const times: [number, number][] = []
  // The first two are for the compiler.
  for (let round = -2; round < rounds; round += 1) {
    const pair: [number, number] = [await timeOf(first), await timeOf(second)]
    if (round >= 0) times.push(pair)
  }
  return {
    first: median(times.map(([a]) => a)),
    second: median(times.map(([, b]) => b)),
    times: median(times.map(([a, b]) => b / a)),
  }
}

/** Milliseconds of processor time, those that memory is cleaned up in included. */
async function timeOf(work: () => unknown): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

interface ServerModule {
  openRendering: (
    text: string,
    context: object,
  ) => { finish: (found: ReadonlyMap<string, unknown>) => Promise<string> }
}

interface ParserModule {
  createParser: () => { render: (text: string) => string }
}

/** The server's own modules, run from source. */
async function loadRenderer(): Promise<Renderer> {
  const folder = join(serverFolder, 'src/markdown/rendering')
  const load = createRequire(pathToFileURL(join(folder, 'rendering.ts')))
  const { openRendering } = load('./rendering.ts') as ServerModule
  const parser = (load('./parser.ts') as ParserModule).createParser()
  const project = { fullPath: 'group/project', defaultBranch: 'main' }
  const context = { webUrl: 'https://code.example', project }
  return {
    bare: (text) => parser.render(text),
    ours: (text, gfm) => openRendering(text, { ...context, gfm }).finish(new Map()),
  }
}
