import { createRandom, type Random } from '../data/random.ts'
import { sentence } from '../data/words.ts'
import { plantedIn } from './texts.ts'

/** A file of a generated repository. */
export interface SourceFile {
  path: string
  content: string
}

const vowels = 'a e i o u ai ea io ou'.split(' ')
const consonants = 'b c d f g h l m n p r s t v w br ch cl cr dr gr pl pr qu sh sl st th tr'.split(
  ' ',
)
const endings = 'er ing ed tion ment ity al ive or age ist le y'.split(' ')
const languages = [
  { extension: 'ts', comment: '//' },
  { extension: 'go', comment: '//' },
  { extension: 'py', comment: '#' },
  { extension: 'c', comment: '//' },
  { extension: 'sh', comment: '#' },
] as const
type Language = (typeof languages)[number]

const common =
  'get set value name index list node type data key item id count size length next start end ' +
  'error result state config option file path text line token parse read write open close add ' +
  'remove update create delete find is has to from with user request response server client map ' +
  'array string number buffer stream event handler callback message queue task job worker thread ' +
  'lock time date format render view page table row column query insert select field record entry ' +
  'cache store load save init run stop test mock check assert match filter sort merge split join'

/** Words of all repositories: the first of them are in most files, the last in few. */
const words = [
  ...common.split(' '),
  ...Array.from({ length: 6000 }, wordOf(createRandom('words of source text'))),
]
const license = [
  'Licensed under the terms that are in the file LICENSE; you may not use this file otherwise.',
  'Distributed on an "AS IS" basis, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND.',
]

function wordOf(random: Random) {
  return () => {
    const syllables = 1 + random.integer(3)
    const parts = Array.from(
      { length: syllables },
      () => random.pick(consonants) + random.pick(vowels),
    )
    return parts.join('') + (random.chance(0.6) ? random.pick(endings) : random.pick(consonants))
  }
}

/**
 * The files of one repository, `bytes` together: identifiers of words whose frequencies are skewed,
 * used again and again in the same file and repository, in statements, comments and strings. A
 * tenth of the files has most of the text, and the largest have 300 KiB.
 */
export function* sourceFiles(name: string, bytes: number): Generator<SourceFile> {
  const random = createRandom(`source text of ${name}`)
  const shared = Array.from({ length: 400 }, () => identifier(random))
  const folders = Array.from({ length: 40 }, () => `${random.pick(words)}/${random.pick(words)}`)
  let left = bytes
  for (let number = 0; left > 0; number += 1) {
    const language = languages[skewed(random, languages.length)] ?? languages[0]
    const size = Math.min(left, fileSize(random))
    const content = fileText(random, { language, size, shared, number })
    const folder = folders[skewed(random, folders.length)]
    const path = `src/${folder}/${snake(random)}_${number}.${language.extension}`
    left -= content.length
    yield { path, content }
  }
}

/** From 1 KiB to 300 KiB, with a mean of 16 KiB. */
function fileSize(random: Random): number {
  const share = random.integer(10_000) / 10_000
  return Math.floor(1024 * Math.min(300, 1 + 3 / (1.003 - share) ** 0.75))
}

interface FileShape {
  language: Language
  size: number
  /** Identifiers of the repository. */
  shared: readonly string[]
  number: number
}

function fileText(random: Random, { language, size, shared, number }: FileShape): string {
  const { comment } = language
  const own = Array.from({ length: 12 + Math.floor(size / 1500) }, () => identifier(random))
  const name = () => {
    const from = random.chance(0.6) ? own : shared
    return from[skewed(random, from.length)] ?? 'value'
  }
  const lines = random.chance(0.3) ? license.map((line) => `${comment} ${line}`) : []
  for (const text of plantedIn(number)) lines.push(`${comment} ${text}`)
  let length = lines.reduce((sum, line) => sum + line.length + 1, 0)
  while (length < size) {
    const line = random.chance(0.15)
      ? `${comment} ${prose(random)}`
      : indent(random) + statement(random, name)
    lines.push(line)
    length += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

function statement(random: Random, name: () => string): string {
  switch (skewed(random, 12)) {
    case 0:
      return `const ${name()} = ${name()}.${name()}(${name()}, ${random.integer(100)})`
    case 1:
      return `if (${name()} === null || ${name()}.length > 0) {`
    case 2:
      return `return ${name()}(${name()})`
    case 3:
      return '}'
    case 4:
      return `${name()}.${name()} = ${name()}[${name()}] ?? "${random.pick(words)} ${name()}"`
    case 5:
      return `export async function ${name()}(${name()}: ${name()}, ${name()}: string): Promise<void> {`
    case 6:
      return ''
    case 7:
      return `for (const ${name()} of ${name()}) ${name()}.push({ ...${name()}, ${name()} })`
    case 8:
      return `throw new Error(\`${name()} must be at least \${${name()}}: 0x${random.integer(2 ** 32).toString(16)}\`)`
    case 9:
      return `import { ${name()}, ${name()} } from './${snake(random)}.ts'`
    case 10:
      return `case ${name().toUpperCase()}: await ${name()}(); break;`
    default:
      return `"${random.pick(words)}-${random.integer(1000)}": ["${name()}", true, ${random.integer(5000)}],`
  }
}

function prose(random: Random): string {
  const rare = () => words[skewed(random, words.length)]
  return `${sentence(random, 3 + random.integer(4))} ${rare()} ${rare()} ${sentence(random, 2)}`
}

function indent(random: Random): string {
  return '  '.repeat(random.integer(4))
}

/** `fooBarBaz`, `FooBar` or `foo_bar`. */
function identifier(random: Random): string {
  if (random.chance(0.25)) return snake(random)
  const parts = Array.from({ length: 1 + random.integer(3) }, () => word(random))
  const start = random.chance(0.25) ? 0 : 1
  return parts
    .map((part, at) => (at < start ? part : part[0]?.toUpperCase() + part.slice(1)))
    .join('')
}

function snake(random: Random): string {
  return `${word(random)}_${word(random)}`
}

function word(random: Random): string {
  return words[skewed(random, words.length)] ?? ''
}

/** An integer below a limit, the small ones more often. */
function skewed(random: Random, below: number): number {
  return Math.floor(below * (random.integer(2 ** 24) / 2 ** 24) ** 2.5)
}
