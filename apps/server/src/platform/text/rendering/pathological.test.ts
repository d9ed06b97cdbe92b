import { describe, expect, it } from 'vitest'
import type { RenderContext } from './render-context.ts'
import { openRendering } from './rendering.ts'

const context: RenderContext = {
  gfm: true,
  webUrl: 'https://code.example',
  project: { fullPath: 'group/project', ref: 'main', wiki: 'home' },
}

/** Repeats a text up to `length` characters. */
function fill(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

function each(length: number, line: (at: number) => string): string {
  let text = ''
  for (let at = 0; text.length < length; at += 1) text += line(at)
  return text
}

const texts: Record<string, (length: number) => string> = {
  quotes: (length) => fill('> ', length),
  'bare addresses': (length) => fill('www.a.b ', length),
  'one bare address': (length) => `www.${fill('a.', length)}`,
  'brackets behind an address': (length) => `www.a.b/${fill(')', length)}`,
  'names that are no addresses': (length) => fill('a.b-c_', length),
  'signs of mail': (length) => fill('a@', length),
  'brackets that open': (length) => fill('[', length),
  'brackets that open and close': (length) => fill('[', length / 2) + fill(']', length / 2),
  'images in images': (length) => fill('![a', length / 2) + fill('](b)', length / 2),
  'links that are not closed': (length) => fill('[a](', length),
  'titles that are not closed': (length) => fill('[a](b "', length),
  'links to pages of a wiki': (length) => fill('[x [[a]] ', length),
  'links to pages that are not closed': (length) => fill('[x [[a [y]', length),
  'links to pages that are closed late': (length) => `${fill('[[a[', length)}]]`,
  stars: (length) => fill('*a _b ', length),
  'long runs of stars': (length) => `${fill('***', length)}a`,
  tildes: (length) => fill('~~a ', length),
  'runs of backticks': (length) => each(length, (at) => `${'`'.repeat(at)} `),
  'signs of tags': (length) => fill('<', length),
  'tags that are not closed': (length) => fill('<a b="', length),
  'comments that are not closed': (length) => fill('<!-- ', length),
  'declarations that are not closed': (length) => fill('<!A ', length),
  'instructions that are not closed': (length) => fill('a <? ', length),
  'elements in elements': (length) => fill('a<b>', length),
  'misnested elements': (length) => fill('<b><i></b>', length),
  'elements that are closed as others': (length) => fill('<b></i>', length),
  'foreign blocks between others': (length) => fill('<b>x</b>\n\nfoo\n\n', length),
  'foreign drawings': (length) => fill('<svg><style>', length),
  addresses: (length) => fill('http://a.b/ ', length),
  'beginnings of addresses': (length) => fill('http://', length),
  references: (length) => each(length, (at) => `#${at + 1} `),
  'signs of references': (length) => fill('@a~"%', length),
  'digits of hashes': (length) => fill('abcdef1..', length),
  'changes that are not ended': (length) => fill('{+a [-b ', length),
  'changes in changes': (length) => fill('{+a *{-b+} ', length),
  'emoji codes': (length) => fill(':tada: :a', length),
  'rows of a table': (length) => `|a|b|\n|-|-|\n${fill('|1|2|\n', length)}`,
  'columns of a table': (length) => `${fill('|a', length / 2)}\n${fill('|-', length / 2)}\n`,
  'empty rows of a wide table': (length) => {
    const columns = Math.floor(Math.sqrt(length) / 2)
    return `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${fill('|\n', length / 2)}`
  },
  'items in items': (length) => each(length, (at) => `${' '.repeat((2 * at) % 400)}- x\n`),
  'items on one line': (length) => fill('- ', length),
  tasks: (length) => fill('- [ ] a\n', length),
  headings: (length) => fill('# a\n', length),
  definitions: (length) => each(length, (at) => `[a${at}]: /u\n`),
  footnotes: (length) => each(length, (at) => `x[^${at}]\n\n[^${at}]: a\n\n`),
  'footnotes in footnotes': (length) => fill('^[a', length),
  entities: (length) => fill('&amp;&a', length),
  backslashes: (length) => fill('\\', length),
  'code blocks': (length) => fill('```\na\n```\n', length),
  'a block of code that is not closed': (length) => `\`\`\`js\n${fill('`${', length)}`,
  'lazy lines': (length) => fill('> a\nb\n', length),
  'attributes without an end': (length) => `<a ${fill('b ', length)}`,
}

/** CPU time of this thread, independent of other load. */
async function millisecondsOf(text: string): Promise<number> {
  const start = process.threadCpuUsage()
  await openRendering(text, context).finish(new Map())
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1000
}

/** The minimum of several runs: other load only adds time. */
async function minTimeOf(text: string, limit: number): Promise<number> {
  let min = Number.POSITIVE_INFINITY
  const rounds = limit === 0 ? 5 : 20
  for (let round = 0; round < rounds && min > limit; round += 1) {
    min = Math.min(min, await millisecondsOf(text))
  }
  return min
}

describe('the rendering time of pathological texts', () => {
  it.each(Object.keys(texts))('grows linearly with the text, for %s', async (name) => {
    const text = texts[name] ?? String
    // Long enough for the clock's resolution.
    let length = 20_000
    while (length < 160_000 && (await millisecondsOf(text(length))) < 3) length *= 2
    const once = await minTimeOf(text(length), 0)
    // Twice the text may take 2.5 times as long, so eight times the text 2.5³ times.
    const limit = Math.max(2.5 ** 3 * once, 100)
    expect(await minTimeOf(text(8 * length), limit)).toBeLessThan(limit)
  })

  it('is bounded for a very long paragraph', async () => {
    for (const part of [
      '#1 @a ',
      ':tada: ',
      '*a* ',
      'http://a.b ',
      '[a](b) ',
      '<b>a</b> ',
      'a[^1] ',
    ]) {
      const html = await openRendering(`${part.repeat(100_000)}\n\n[^1]: b`, context).finish(
        new Map(),
      )
      expect(html.length).toBeGreaterThan(500_000)
    }
  })
})
