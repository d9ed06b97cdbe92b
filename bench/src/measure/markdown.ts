import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serverFolder } from '../paths.ts'
import { hostileTexts, ordinaryTexts } from './markdown-texts.ts'
import { median } from './pairs.ts'

/** The maximum time of an ordinary text, as a multiple of the plain parser's. */
export const markdownGoal = 1.5
/** The maximum time of a hostile text of twice the length, as a multiple. */
export const growthGoal = 2.5

export interface MarkdownFigures {
  /** Milliseconds of processor time, by text. */
  ordinary: { name: string; parserOnly: number; stithy: number; times: number }[]
  hostile: { name: string; once: number; twice: number; times: number }[]
}

interface Renderer {
  parserOnly: (text: string) => unknown
  stithy: (text: string, gfm: boolean) => Promise<unknown>
}

/**
 * Renders in this process, without the worker thread, compared with the parser alone with the same
 * options.
 */
export async function measureMarkdown(rounds: number): Promise<MarkdownFigures> {
  const renderer = await loadRenderer()
  const figures: MarkdownFigures = { ordinary: [], hostile: [] }
  for (const { name, text, gfm } of ordinaryTexts) {
    const pair = await alternate(
      rounds,
      () => renderer.parserOnly(text),
      () => renderer.stithy(text, gfm),
    )
    figures.ordinary.push({ name, parserOnly: pair.first, stithy: pair.second, times: pair.times })
  }
  for (const { name, text } of hostileTexts) {
    const [short, long] = [text(200_000), text(400_000)]
    const pair = await alternate(
      rounds,
      () => renderer.stithy(short, true),
      () => renderer.stithy(long, true),
    )
    figures.hostile.push({ name, once: pair.first, twice: pair.second, times: pair.times })
  }
  return figures
}

/** Medians of the times, and of the second's multiple of the first in the same round. */
async function alternate(rounds: number, first: () => unknown, second: () => unknown) {
  const times: [number, number][] = []
  // The first two rounds warm up the compiler.
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

/** Milliseconds of processor time, including garbage collection. */
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
    parserOnly: (text) => parser.render(text),
    stithy: (text, gfm) => openRendering(text, { ...context, gfm }).finish(new Map()),
  }
}
