/** A text that is searched, with filters as a search takes them. */
export interface MeasuredText {
  name: string
  text: string
  /** `extension:ts`, or nothing. */
  filter?: string
  /** What git takes for the filter, and a regular expression that paths match. */
  pathspec?: string
  pathPattern?: string
}

/** In one of so many files of each repository; its letters are nowhere else. */
const rareLetters = 'zqx'
const rareIdentifier = 'resolvePendingQuorumVotes'
const rarePhrase = 'if (quorum?.votes[0] !== "yes") {'

const planted = [
  { text: `see ${rareLetters} there`, every: 997 },
  { text: `${rareIdentifier}() is called by the leader`, every: 499 },
  { text: rarePhrase, every: 701 },
]

/** What the file with a number has of the measured texts. */
export function plantedIn(number: number): string[] {
  return planted.filter(({ every }) => number % every === every - 1).map(({ text }) => text)
}

export const measuredTexts: readonly MeasuredText[] = [
  { name: 'three letters, in most files', text: 'ret' },
  { name: 'three letters, rare', text: rareLetters },
  { name: 'an identifier', text: rareIdentifier },
  { name: 'a phrase with punctuation, in most files', text: '=== null || ' },
  { name: 'a phrase with punctuation, rare', text: rarePhrase },
  { name: 'not there, one word after another', text: 'return import' },
  { name: 'not there, all of its letters frequent', text: 'const the page return value error' },
  { name: 'not there, its letters rare', text: 'wyvernXylophone' },
  {
    name: 'an identifier, in one folder',
    text: 'return',
    filter: 'path:src/b',
    pathspec: ':(glob)**/src/b*/**',
    pathPattern: '/src/b',
  },
  {
    name: 'frequent, in one rare type of file',
    text: 'return',
    filter: 'extension:sh',
    pathspec: '*.sh',
    pathPattern: '\\.sh$',
  },
  {
    name: 'not there, in one type of file',
    text: 'return import',
    filter: 'extension:sh',
    pathspec: '*.sh',
    pathPattern: '\\.sh$',
  },
]
