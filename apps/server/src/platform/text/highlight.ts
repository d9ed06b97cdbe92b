import { fileLineLimits } from '@stithy/core'
import { LRUCache } from 'lru-cache'
import { askThread } from '../threads/worker-thread.ts'
import { escapeText } from './rendering/render-env.ts'
import type { HighlightAnswer, HighlightRequest } from './text-messages.ts'
import { openTextThread, timeoutFor } from './text-thread.ts'

/** Code that is to be shown. */
export interface Code {
  /** Names the text, such as the id of its blob. */
  key: string
  /** Path of the file, by which its language is known. */
  path: string
  text: string
}

/** The first lines of a code, as HTML. */
export interface CodeLines {
  /** Null for plain text. */
  language: string | null
  lines: string[]
  totalLines: number
  /** Those of which only the start is shown. */
  cutLines: { line: number; length: number }[]
}

/** By key and language; characters of HTML, and some for the entry. */
const cache = new LRUCache<string, CodeLines>({
  maxSize: 8_000_000,
  maxEntrySize: 4_000_000,
  sizeCalculation: ({ lines }) => lines.reduce((sum, line) => sum + line.length + 50, 500),
})

/** Length in characters from which a code waits in a queue of its own. */
const longCode = 65_536
/** Milliseconds in the queue, after which it is shown without colours. */
const waitMs = 3000

const threads = { short: openTextThread(), long: openTextThread() }

/**
 * Highlights the first lines of a code, in a thread. What takes too long is shown without colours.
 */
export async function highlightLines({ key, path, text }: Code): Promise<CodeLines> {
  const names = languageNames(path)
  const cacheKey = `${key} ${names.join(' ')}`
  const known = cache.get(cacheKey)
  if (known !== undefined) return known
  const { code, totalLines, cutLines } = cutText(text)
  const thread = code.length < longCode ? threads.short : threads.long
  const limits = { answerMs: timeoutFor(code.length), waitMs }
  const request: HighlightRequest = { code, names }
  const answer = await askThread<HighlightRequest, HighlightAnswer>(thread, request, limits)
  const isMarked = typeof answer === 'object'
  const marked = isMarked ? answer : { html: escapeText(code), language: null }
  const lines = totalLines === 0 ? [] : marked.html.split('\n')
  const found = { language: marked.language, lines, totalLines, cutLines }
  // What was too long for the thread is not tried again; a queue may be shorter the next time.
  if (answer !== 'late') cache.set(cacheKey, found)
  return found
}

interface CutText {
  code: string
  totalLines: number
  cutLines: CodeLines['cutLines']
}

/** The first lines, and the start of each. */
function cutText(text: string): CutText {
  const all = text.split('\n')
  // A line break at the end doesn't start another line.
  if (all.at(-1) === '') all.pop()
  const cutLines: CodeLines['cutLines'] = []
  const shown = all.slice(0, fileLineLimits.lines).map((line, at) => {
    if (line.length <= fileLineLimits.lineLength)
      return line.endsWith('\r') ? line.slice(0, -1) : line
    cutLines.push({ line: at + 1, length: line.length })
    return line.slice(0, fileLineLimits.lineLength)
  })
  return { code: shown.join('\n'), totalLines: all.length, cutLines }
}

/** Languages by the whole name of a file, where the library doesn't know them by its ending. */
const languagesOfFiles: Readonly<Record<string, string>> = {
  'cmakelists.txt': 'cmake',
  gemfile: 'ruby',
  rakefile: 'ruby',
  jenkinsfile: 'groovy',
  '.bashrc': 'bash',
  '.profile': 'bash',
  '.gitconfig': 'ini',
  '.editorconfig': 'ini',
  'go.mod': 'go',
}

/** What the language of a file may be called: by its name (`dockerfile`), or by the name's ending. */
export function languageNames(path: string): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  const known = Object.hasOwn(languagesOfFiles, name) ? languagesOfFiles[name] : undefined
  const named = name === 'makefile' || name === 'dockerfile' ? [name] : []
  const ending = dot >= 0 ? [name.slice(dot + 1)] : []
  return [...(known === undefined ? [] : [known]), ...named, ...ending].slice(0, 3)
}
