import { createLineReader } from './line-reader.ts'
import { unquotePath } from './quoted-path.ts'

/** One file of a diff. */
export interface DiffEntry {
  /** From `--- a/…` on, or `Binary files … differ`; empty if only names or modes changed. */
  diff: string
  newPath: string
  oldPath: string
  /** Six octal digits, or `0` if the file didn't exist. */
  aMode: string
  bMode: string
  /** 40 zeros for absent objects. */
  aOid: string
  bOid: string
  newFile: boolean
  renamedFile: boolean
  deletedFile: boolean
  /** The diff is left out: it alone exceeds the limit. */
  tooLarge: boolean
  /** The diff is left out: the files before it used up the total limit. */
  collapsed: boolean
}

/** Limits of a diff. */
export interface DiffLimits {
  /** Maximum number of files; default 1000. */
  maxFiles?: number
  /** Maximum bytes of one file's diff; default 200 KiB. */
  maxFileBytes?: number
  /** Maximum bytes of all diffs together; default 10 MiB. */
  maxTotalBytes?: number
}

/** The files of a diff; `overflow` is set if there are more than the limit. */
export interface Diff {
  entries: DiffEntry[]
  overflow: boolean
}

/** Parses `git diff-tree --raw -p` from chunks of any size, holding no more than the limits. */
export interface DiffParser {
  /** False once further output is not needed: the process may be ended. */
  push(chunk: Buffer): boolean
  finish(): Diff
  /** The result of an incomplete output; the diff that was being read is left out. */
  truncate(): Diff
}

/** Called with each line of a file's diff. @param file its index in the entries */
type LineCallback = (file: number, line: Buffer) => void

const sectionStart = Buffer.from('diff --git ')
const binaryStart = Buffer.from('Binary files ')
const bodyStart = Buffer.from('--- ')
/** Paths and headers are read up to this length whatever the limit of a diff is. */
const minLineBytes = 64 * 1024

interface State {
  limits: Required<DiffLimits>
  onLine: LineCallback | undefined
  entries: DiffEntry[]
  /** The line that opens the diff of each entry; git omits a diff of ignored white space. */
  headers: string[]
  /** Set after the empty line that ends the raw lines. */
  inPatches: boolean
  overflow: boolean
  /** Index of the entry whose diff is being read. */
  current: number
  inBody: boolean
  text: Buffer[]
  textBytes: number
  totalBytes: number
}

const modeOf = (mode: string) => (mode === '000000' ? '0' : mode)

function prefixed(prefix: string, path: string): string {
  return path.startsWith('"') ? `"${prefix}${path.slice(1)}` : prefix + path
}

/**
 * Byte for byte as git writes it: the raw line, read as Latin-1, quotes its paths in the same way.
 */
function headerOf(line: string): string {
  const [, first = '', second = first] = line.split('\t')
  return `diff --git ${prefixed('a/', first)} ${prefixed('b/', second)}\n`
}

function parseRaw(line: string): DiffEntry | undefined {
  const [meta = '', first = '', second] = line.split('\t')
  const [aMode, bMode, aOid, bOid, status] = meta.slice(1).split(' ')
  if (!aMode || !bMode || !aOid || !bOid || !status) return undefined
  const oldPath = unquotePath(first)
  return {
    diff: '',
    newPath: second === undefined ? oldPath : unquotePath(second),
    oldPath,
    aMode: modeOf(aMode),
    bMode: modeOf(bMode),
    aOid,
    bOid,
    newFile: status === 'A',
    renamedFile: status.startsWith('R'),
    deletedFile: status === 'D',
    tooLarge: false,
    collapsed: false,
  }
}

/** A file, from one line of `git diff-tree --raw`, without its diff; undefined for other lines. */
export function changedFile(line: string): DiffEntry | undefined {
  return line.startsWith(':') ? parseRaw(line) : undefined
}

function closeEntry(state: State): void {
  const entry = state.entries[state.current]
  if (entry && !entry.tooLarge) {
    entry.diff = Buffer.concat(state.text).toString('utf8')
    state.totalBytes += state.textBytes
  }
  state.text = []
  state.textBytes = 0
}

function openSection(state: State, line: string): void {
  state.inBody = false
  // A repeated header: git splits a file that becomes a link into a deletion and a creation.
  if (state.headers[state.current] === line) return
  closeEntry(state)
  const next = state.headers.indexOf(line, state.current + 1)
  state.current = next < 0 ? state.entries.length : next
}

function addText(state: State, bytes: Buffer): void {
  const entry = state.entries[state.current]
  if (!entry || entry.tooLarge) return
  if (state.onLine !== undefined) {
    state.onLine(state.current, bytes)
    return
  }
  state.textBytes += bytes.length
  if (state.textBytes > state.limits.maxFileBytes) {
    entry.tooLarge = true
    state.text = []
    state.textBytes = 0
  } else {
    // The chunk that it is a slice of has 64 KiB: copies what is needed.
    state.text.push(Buffer.from(bytes))
  }
}

const startsWith = (line: Buffer, start: Buffer) => line.subarray(0, start.length).equals(start)

function readRaw(state: State, line: Buffer): void {
  const entry = line.length > 1 ? parseRaw(line.toString('utf8').replace(/\n$/, '')) : undefined
  if (!entry) {
    state.inPatches = true
  } else if (state.entries.length < state.limits.maxFiles) {
    state.entries.push(entry)
    state.headers.push(headerOf(line.toString('latin1').replace(/\n$/, '')))
  } else {
    state.overflow = true
  }
}

function readLine(state: State, line: Buffer): void {
  if (!state.inPatches) {
    readRaw(state, line)
    return
  }
  if (startsWith(line, sectionStart)) {
    openSection(state, line.toString('latin1'))
    return
  }
  state.inBody ||= startsWith(line, bodyStart) || startsWith(line, binaryStart)
  if (state.inBody) addText(state, line)
}

function isDone(state: State): boolean {
  if (state.current >= state.entries.length && state.inPatches) return true
  return state.totalBytes + state.textBytes > state.limits.maxTotalBytes
}

function finish(state: State): Diff {
  if (state.totalBytes + state.textBytes > state.limits.maxTotalBytes) return cut(state)
  closeEntry(state)
  return { entries: state.entries, overflow: state.overflow }
}

/** Drops the diff that is being read, and all after it. */
function cut(state: State): Diff {
  for (const [index, entry] of state.entries.entries()) {
    if (index >= state.current && !entry.tooLarge) entry.collapsed = true
  }
  return { entries: state.entries, overflow: state.overflow }
}

/**
 * Creates a parser with the given limits. With a callback for their lines, diffs of any size are
 * read and none is held.
 */
export function createDiffParser(limits: DiffLimits = {}, onLine?: LineCallback): DiffParser {
  const state: State = {
    limits: {
      maxFiles: limits.maxFiles ?? 1000,
      maxFileBytes: limits.maxFileBytes ?? 200 * 1024,
      maxTotalBytes: limits.maxTotalBytes ?? 10 * 1024 * 1024,
    },
    onLine,
    entries: [],
    headers: [],
    inPatches: false,
    overflow: false,
    current: -1,
    inBody: false,
    text: [],
    textBytes: 0,
    totalBytes: 0,
  }
  const reader = createLineReader(
    (line) => {
      readLine(state, line)
      return !isDone(state)
    },
    // What is cut of a line exceeds the limit of its file.
    { maxBytes: Math.max(minLineBytes, state.limits.maxFileBytes + 1), keepSeparator: true },
  )
  return {
    push: reader.push,
    finish() {
      reader.end()
      return finish(state)
    },
    truncate: () => ({ ...cut(state), overflow: true }),
  }
}
