import { createRandom, type Random } from './random.ts'
import { personName, sentence, slug } from './words.ts'
import { epoch } from './world.ts'

const folders = 20
const filesPerFolder = 15

/**
 * The input of `git fast-import` for a repository of `commits` commits on `main`: the first adds a
 * README and 300 files in 20 folders, each further one changes up to three of them. A hundred
 * branches and tags are created along the way. Chunks of text, to be streamed.
 */
export function* commitStream(name: string, commits: number): Generator<string> {
  const random = createRandom(`commits of ${name}`)
  for (let number = 1; number <= commits; number += 1) {
    yield commit(
      number,
      number === 1 ? allFiles(name, random) : changedFiles(number, random),
      random,
    )
    // Marks are the numbers of the commits.
    if (number % Math.max(1, Math.floor(commits / 50)) === 0) yield labels(number)
  }
  yield 'done\n'
}

/**
 * A long history of small commits, each of which writes one line to one of the files; 50 branches
 * and tags along the way.
 */
export function* historyStream(name: string, commits: number): Generator<string> {
  const random = createRandom(`history of ${name}`)
  const labelled = Math.max(1, Math.floor(commits / 50))
  for (let number = 1; number <= commits; number += 1) {
    const path = pathOf(random.integer(folders), random.integer(filesPerFolder))
    yield commit(number, file(path, `Changed by ${number}.\n`), random)
    if (number % labelled === 0) yield labels(number)
  }
  yield 'done\n'
}

/** A short history with many branches, each with one commit. */
export function* branchesStream(name: string, branches: number): Generator<string> {
  const random = createRandom(`branches of ${name}`)
  const first = `# ${name}\n`
  yield commit(1, file('README.md', first), random)
  for (let number = 2; number <= branches; number += 1) {
    const ref = `refs/heads/feature-${String(number).padStart(6, '0')}`
    const content = file('notes.txt', `Written on branch ${number}.\n`)
    yield commit(number, `from :1\n${content}`, random, ref)
  }
  yield 'done\n'
}

/** The number of commits of the branch `large`, each of which changes every file. */
export const largeCommits = 10

/** `files` files on `main`, and a branch `large` whose commits each change all of them. */
export function* changesStream(name: string, files: number): Generator<string> {
  const random = createRandom(`changes of ${name}`)
  yield commit(1, everyFile(1, files, random), random)
  for (let number = 2; number <= largeCommits + 1; number += 1) {
    const changes = `from :${number - 1}\n${everyFile(number, files, random)}`
    yield commit(number, changes, random, 'refs/heads/large')
  }
  yield 'done\n'
}

function everyFile(round: number, files: number, random: Random): string {
  const write = (_: unknown, position: number) =>
    file(`src/part-${position % 50}/file-${position}.txt`, `Round ${round}.\n${lines(random, 8)}`)
  return Array.from({ length: files }, write).join('')
}

function labels(number: number): string {
  const label = String(number).padStart(7, '0')
  const branch = `reset refs/heads/topic-${label}\nfrom :${number}\n\n`
  return `${branch}reset refs/tags/v${label}\nfrom :${number}\n\n`
}

function commit(number: number, files: string, random: Random, ref = 'refs/heads/main'): string {
  const author = personName(random)
  const who = `${author} <${slug(author)}@example.com> ${epoch / 1000 + number * 600} +0100`
  const body = random.chance(0.5) ? `\n\n${sentence(random, 20)}\n` : '\n'
  const message = data(`Change ${number}: ${sentence(random, 5)}${body}`)
  const head = `commit ${ref}\nmark :${number}\nauthor ${who}\ncommitter ${who}\n`
  return `${head}${message}${files}\n`
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

function allFiles(name: string, random: Random): string {
  const parts = [file('README.md', `# ${name}\n\n${sentence(random, 60)}\n`)]
  for (let folder = 0; folder < folders; folder += 1) {
    for (let position = 0; position < filesPerFolder; position += 1) {
      parts.push(file(pathOf(folder, position), lines(random, 40)))
    }
  }
  return parts.join('')
}

function changedFiles(number: number, random: Random): string {
  const count = 1 + random.integer(3)
  const change = () => {
    const path = pathOf(random.integer(folders), random.integer(filesPerFolder))
    return file(path, `Changed by ${number}.\n${lines(random, 40)}`)
  }
  return Array.from({ length: count }, change).join('')
}

function pathOf(folder: number, position: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  return `src/area-${twoDigits(folder)}/file-${twoDigits(position)}.txt`
}

function file(path: string, content: string): string {
  return `M 100644 inline ${path}\n${data(content)}`
}

function lines(random: Random, count: number): string {
  return Array.from({ length: count }, () => `${sentence(random, 9)}\n`).join('')
}
